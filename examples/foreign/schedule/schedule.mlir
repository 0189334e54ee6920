// What lattn-tile does, as a schedule of the transform dialect: tiles of 16
// queries, and in them steps of 8 keys with the state of the online softmax.
// Both tilings are upstream's.
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !op {transform.consumed}) {
    %attention = transform.structured.match ops{["lattn.attention"]} in %m
        : (!op) -> !op
    transform.structured.tile_using_forall %attention tile_sizes [1, 1, 16]
        : (!op) -> (!op, !op)
    %n = transform.apply_registered_pass "lattn-convert-to-online" to %m
        : (!op) -> !op
    %step = transform.structured.match ops{["lattn.online_attention"]} in %n
        : (!op) -> !op
    transform.structured.tile_using_for %step tile_sizes [0, 0, 0, 8]
        : (!op) -> (!op, !op)
    transform.yield
  }
}
