# sh check.sh FOLDER WORD...: counts files and lines, and for each word the lines that hold it.
folder=$1
shift
printf 'files checked: '
find "$folder" -type f | wc -l
printf 'lines checked: '
find "$folder" -type f -exec cat {} + | wc -l
for word in "$@"; do
    printf 'lines with "%s": ' "$word"
    grep -rihF -e "$word" -- "$folder" | wc -l
    grep -rniF -e "$word" -- "$folder" | sort | head -n 2
done
