# complete.bash COMPLETIONS LINE: what bash would offer at the end of LINE, one
# a line. "=" splits words, as it does by default.
source "$1"
COMP_LINE=$2 COMP_POINT=${#2}
mapfile -t COMP_WORDS < <(sed -E 's/=/\n=\n/g; s/ +/\n/g' <<< "$2")
[[ $2 != *' ' ]] || COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
current=${COMP_WORDS[COMP_CWORD]}
[[ $current != = ]] || current=
_lattn "${COMP_WORDS[0]}" "$current" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
