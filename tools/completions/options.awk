# From the output of --help-list: one line an option, its fields
# separated by tabs: name, how it takes a value ("", "=": required, "?": optional
# after "=", "_": the next word), words to complete the value with ("@dir",
# "@*.npz": files), description.
function finish() {
  if (name != "")
    print name "\t" value "\t" words "\t" text
  name = ""
}

function describe(kind,    i, n, tokens) {
  n = split(kind, tokens, "|")
  for (i = 1; i <= n; ++i)
    if (tokens[i] ~ /\.[a-z]+$/) {
      sub(/.*\./, "@*.", tokens[i])
      words = words " " tokens[i]
    } else if (tokens[i] ~ /^(file|filename)$/)
      words = words " @*"
    else if (tokens[i] ~ /^(dir|directory)$/)
      words = words " @dir"
    else if (n > 1)
      words = words " " tokens[i]
}

# Deeper ones belong to passes.
/^(  |      )--?[A-Za-z0-9]/ {
  finish()
  rest = $0
  sub(/^ +/, "", rest)
  match(rest, /^--?[A-Za-z0-9][A-Za-z0-9_.-]*/)
  name = substr(rest, 1, RLENGTH)
  rest = substr(rest, RLENGTH + 1)
  value = words = ""
  if (match(rest, /^(\[?=| )<[^>]*>\]?/)) {
    kind = substr(rest, 1, RLENGTH)
    rest = substr(rest, RLENGTH + 1)
    value = kind ~ /^\[/ ? "?" : kind ~ /^=/ ? "=" : "_"
    gsub(/[][=<> ]/, "", kind)
    describe(kind)
  }
  sub(/^ *- */, "", rest)
  text = rest
  next
}

/^ *-/ { finish() }

/^ +=[^< ]/ && name != "" { words = words " " substr($1, 2) }

END { finish() }
