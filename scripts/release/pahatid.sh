#!/bin/sh
# Runs Pahatid with the Node in this folder. Nothing else of the machine is used, except readlink for a link to this file.
program=$0
while [ -L "$program" ]; do
  target=$(readlink "$program") || exit 1
  case $target in
    /*) program=$target ;;
    *) program=${program%/*}/$target ;;
  esac
done
case $program in
  */*) here=${program%/*} ;;
  *) here=. ;;
esac
exec "$here/node/bin/node" "$here/apps/server/src/main.ts" "$@"
