// Tiles of 16 rows of the last operation, with its producers fused into them:
// lattn.attention on a tile reads the keys that the window shows to it.
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !op {transform.readonly}) {
    %add = transform.structured.match ops{["linalg.add"]} in %m : (!op) -> !op
    transform.structured.fuse %add tile_sizes [1, 1, 16] {use_forall}
        : (!op) -> (!op, !op)
    transform.yield
  }
}
