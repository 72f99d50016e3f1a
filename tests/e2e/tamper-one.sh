#!/bin/bash
# Copies the running cluster, has its superuser edit one byte of one entry in the copy, starts
# opledgerd on the copy and verifies: the entry must be named, exit 4.
#
# usage: tamper-one.sh DIR COPY SEQ      needs opledger, opledgerd in PATH, a login in XDG_STATE_HOME
set -euo pipefail

data=$1 copy=$2 seq=$3
conninfo=$(cat "$data/postgres.conninfo")
owner=$(stat -c %u "$data/postgres")
as_owner=()
[ "$owner" = "$(id -u)" ] || as_owner=(setpriv --reuid="$owner" --regid="$(stat -c %g "$data/postgres")" --clear-groups)
pg_bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)

rm -rf "$copy"
install -d -m 755 "$copy"
install -d -m 700 -o "$owner" "$copy/postgres"
(cd /; "${as_owner[@]}" "$pg_bin/pg_basebackup" -d "$conninfo" -D "$copy/postgres" -c fast)
cp -p "$data/log.key" "$data/origin" "$copy/"

while port=$((20000 + RANDOM % 20000)); (exec 3<> "/dev/tcp/127.0.0.1/$port") 2>/dev/null; do :; done
opledgerd --data "$copy" --listen "127.0.0.1:$port" > "$copy/opledgerd.log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true' EXIT
for _ in $(seq 300); do
    (exec 3<> "/dev/tcp/127.0.0.1/$port") 2>/dev/null && break
    kill -0 "$server" 2>/dev/null || { tail "$copy/opledgerd.log" >&2; exit 3; }
    sleep 0.1
done

(cd /; "${as_owner[@]}" "$pg_bin/psql" -qX -d "$(cat "$copy/postgres.conninfo")" -c \
    "UPDATE entry SET bytes = set_byte(bytes, octet_length(bytes) / 2, get_byte(bytes, octet_length(bytes) / 2) # 1) WHERE seq = $seq")

status=0
OPLEDGER_URL=http://127.0.0.1:$port opledger log verify --deep || status=$?
exit $status
