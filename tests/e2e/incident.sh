#!/bin/bash
# Plays one incident through the real programs, each command shown before its output.
#
# usage: incident.sh DIR     DIR: data folder of a running opledgerd that nobody has used yet
# needs opledger and opledgerd in PATH and OPLEDGER_URL. Stops, non-zero, at the first thing that is
# not as it should be. Leaves DIR/play: people's keys, the scheduler's configuration, gate.conf.
set -euo pipefail

data=$1
here=$(cd "$(dirname "$0")" && pwd)
samples=$here/samples
play=$data/play
rm -rf "$play"
mkdir -p "$play/home" "$play/keys" "$play/work"
cd "$play/work"
export OPLEDGER_REDACT_KEY_FILE=$play/redact.key
scheduler_pids=()

# ---- telling, and holding what happens against what should ----

say() { printf '\n\033[1m# %s\033[0m\n' "$*"; }
fail() { printf 'incident: %s\n' "$*" >&2; exit 1; }

# expect STATUS CMD...: shows the command as one would type it, runs it, compares its exit status.
# Its output goes to $out too, for `holds`.
out=$play/out
expect() {
    local wanted=$1 status=0
    shift
    printf '\n%s$ ' "$who"
    printf '%s ' "${@@Q}" | sed "s/'\([A-Za-z0-9_./:@=+-]*\)'/\1/g; s/ \$//"
    printf '\n'
    "$@" > "$out" 2>&1 < "${input:-/dev/null}" || status=$?
    cut -c1-220 "$out" | sed 's/^/    /'
    cat "$out" >> "$play/transcript"
    [ "$status" = "$wanted" ] || fail "that command ended with exit $status, not $wanted"
}
holds() { grep -qF -- "$1" "$out" || fail "the output above does not say: $1"; }

# as NAME: the commands that follow are NAME's, with a memory and a login of their own.
as() {
    who=$1
    export XDG_STATE_HOME=$play/home/$1
    unset OPLEDGER_TOKEN_FILE OPLEDGER_SSH_KEY
    case $1 in
    admin) export OPLEDGER_TOKEN_FILE=$data/admin.token ;;
    *) export OPLEDGER_SSH_KEY=$play/keys/$1 ;;
    esac
}
# given TEXT CMD...: the text comes from stdin, as pasted text does: no shell ever reads it.
given() {
    printf '%s\n' "$1" > text
    printf '\n%s pastes on stdin: %s' "$who" "$1"
    shift
    input=text "$@"
}

# The token that the last login of this person keeps.
login_token() { sed -n 's/.*"token":"\([^"]*\)".*/\1/p' "$XDG_STATE_HOME"/opledger/tokens/*; }

# ---- a real scheduler, with a configuration that a change will touch ----

stop_scheduler() {
    local pid
    for pid in "${scheduler_pids[@]}"; do kill "$pid" 2>/dev/null || true; done
}
trap stop_scheduler EXIT

start_scheduler() {
    local etc=$play/etc/slurm run=$play/slurm port
    mkdir -p "$etc" "$run/state"
    port=$((40000 + RANDOM % 9000))
    dd if=/dev/urandom of="$run/munge.key" bs=1024 count=1 status=none
    chmod 600 "$run/munge.key"
    chmod 700 "$run"
    munged --force --foreground --key-file="$run/munge.key" --socket="$run/munge.sock" \
        --pid-file="$run/munged.pid" --log-file="$run/munged.log" --seed-file="$run/seed" \
        > "$run/munged.out" 2>&1 &
    scheduler_pids+=($!)
    for _ in $(seq 100); do [ -S "$run/munge.sock" ] && break; sleep 0.05; done
    sed -e "s|mgmt01(127.0.0.1)|$(hostname)(127.0.0.1)|; s|^NodeName=mgmt01 .*||" \
        -e "s|/var/spool/slurm|$run|; s|Nodes=mgmt01|Nodes=ALL|; s|SlurmUser=root|SlurmUser=$(id -un)|" \
        "$samples/slurm.conf" > "$etc/slurm.conf"
    printf 'SlurmctldPort=%s\nAuthInfo=socket=%s/munge.sock\n' "$port" "$run" >> "$etc/slurm.conf"
    export SLURM_CONF=$etc/slurm.conf
    slurmctld -D -i -f "$SLURM_CONF" > "$run/slurmctld.out" 2>&1 &
    scheduler_pids+=($!)
    for _ in $(seq 100); do scontrol ping 2>/dev/null | grep -q UP && return; sleep 0.1; done
    tail -n 5 "$run/slurmctld.out" "$run/slurmctld.log" >&2
    fail "slurmctld did not start"
}

say "Three people with the SSH keys they have; the administrator enrols them"
for person in maria ben chen; do
    ssh-keygen -q -t ed25519 -N '' -C "$person@site" -f "$play/keys/$person"
done
as admin
expect 0 opledger principal add maria --class person --role recorder --role gate --role evidence-raw
expect 0 opledger principal add ben --class person --role recorder --role reviewer --role approver.slurm
expect 0 opledger principal add chen --class person --role recorder --role admin --role approver.lead
for person in maria ben chen; do
    expect 0 opledger principal key add $person "$play/keys/$person.pub"
done
expect 0 opledger principal close-bootstrap
for person in maria ben chen; do
    as $person
    expect 0 opledger login --as $person
done
say "The first token is void now, and administration takes a second person's signature"
as admin
expect 3 opledger principal add mallory --class person --role admin
as chen
expect 3 opledger principal add mallory --class person --role admin

say "1. The scheduler was upgraded; a save warning repeats"
start_scheduler
as maria
expect 0 opledger incident open --severity high --title 'slurmctld upgraded; StateSaveLocation warning repeats every minute'
holds inc-1
say "What goes to the hosted model is scrubbed, and recorded"
# scrub DESTINATION MODEL OUTPUT: redacts the trace for a destination and records it.
scrub() {
    printf '\n%s$ %s\n' "$who" "opledger redact --destination $1 --model $2 --record inc-1 slurmctld.strace > $3"
    opledger redact --destination "$1" --model "$2" --record inc-1 "$samples/slurmctld.strace" > "$3" 2> "$out" ||
        { cat "$out"; fail "redact failed"; }
    sed 's/^/    /' "$out"
}
scrub anthropic-api anthropic/claude-opus-4-6 trace.scrubbed
expect 1 grep -cFf "$samples/secrets.txt" trace.scrubbed
expect 1 grep -cwE 'alice|bkim|mgmt01|cluster\.example\.edu' trace.scrubbed
expect 0 opledger evidence attach inc-1 trace.scrubbed --source strace --egress egr-1

say "2. One model's hypothesis, and a second model's blind verdict"
{
    echo 'You are asked for the most likely cause of a repeated warning. The trace follows.'
    cat trace.scrubbed
} > prompt.txt
given 'Lock contention: the state save thread waits for the job write lock that the `_job_mgr` loop $(holds) too long.' \
    expect 0 opledger hypothesis record inc-1 --claim - --model anthropic/claude-opus-4-6 --tool claude-code \
    --prompt-file prompt.txt --egress egr-1 --evidence trace.scrubbed \
    --predicts 'with a longer bf_interval the warning becomes rarer' \
    --refuted-by 'fsync alone takes as long as the reported save'
holds hyp-1
scrub openai-api openai/gpt-5 trace.second
cmp -s trace.scrubbed trace.second || fail "one incident, two outputs"
expect 0 opledger verdict record hyp-1 --model openai/gpt-5 --mode blind --verdict partly \
    --prompt-file prompt.txt --egress egr-2 --evidence trace.scrubbed \
    --rationale 'futex waits dominate, but one fsync of 180 ms is in the same span'

say "3. The vendor is asked; a change is proposed on the hypothesis and approved"
as chen
expect 0 opledger vendor update hyp-1 --vendor SchedMD --state asked --ticket 21345
as maria
mkdir -p staged
{
    cat "$SLURM_CONF"
    echo 'SchedulerParameters=bf_interval=120'
} > slurm.conf.new
mkdir -p "staged$(dirname "$SLURM_CONF")"
cp slurm.conf.new "staged$SLURM_CONF"
expect 0 opledger change propose inc-1 --title 'backfill less often: fewer waits for the job lock' \
    --class config --target engaging/slurm --file "$SLURM_CONF" --from staged --hypothesis hyp-1 \
    --running-version 22.05.8 -- scontrol reconfigure
holds chg-1
as ben
expect 0 opledger approval sign chg-1 --role slurm
as maria
expect 1 opledger gate check chg-1
holds 'gate check: denied (exit 1)'
holds hypothesis
holds UNSATISFIED

# The file that an enforcing host has in /etc/opledger: server, log key, and whose approvals must
# verify on the host itself.
printf 'ben namespaces="approve@opledger" %s\n' "$(cut -d' ' -f1,2 "$play/keys/ben.pub")" > "$play/signers"
expect 0 opledger log checkpoint --json
origin=$(sed -n 's/.*"origin": *"\([^"]*\)".*/\1/p' "$out" | head -n 1)
cat > "$play/gate.conf" <<END
url = $OPLEDGER_URL
origin = $origin
log_key = $(cat "$XDG_STATE_HOME"/opledger/keys/*)
path = $play/etc/slurm/** engaging/slurm
signers = $play/signers
signers_min = 1
END
chmod 600 "$play/gate.conf" "$play/signers"
say "The change is tried all the same, and does not run"
expect 1 opledger gate apply chg-1 --from staged --gate-conf "$play/gate.conf"
[ "$(grep -c SchedulerParameters "$SLURM_CONF")" = 0 ] || fail "the file was changed"

say "4. The vendor confirms; somebody other than the proposer records it, with the statement"
as chen
printf 'SchedMD ticket 21345: confirmed for 22.05.0 to 22.05.8; the backfill loop holds the job write lock.\n' > vendor-mail.txt
expect 0 opledger vendor update hyp-1 --vendor SchedMD --state confirmed --ticket 21345 \
    --versions 22.05.0..22.05.8 --evidence vendor-mail.txt \
    --statement 'Confirmed. Raise bf_interval until the fix.'
as maria
say "The approval is older than the confirmation: its signer cannot have seen it"
expect 1 opledger gate check chg-1
holds 'approval sign chg-1 --role slurm'
as ben
expect 1 opledger gate explain chg-1
expect 0 opledger approval sign chg-1 --role slurm
as maria
expect 0 opledger gate check chg-1
holds 'gate check: allowed (exit 0)'
expect 0 opledger gate apply chg-1 --from staged --gate-conf "$play/gate.conf"
grep -q SchedulerParameters "$SLURM_CONF" || fail "the file was not installed"
say "The scheduler itself says that it took it"
expect 0 bash -c 'scontrol show config | grep SchedulerParameters'
holds 'bf_interval=120'

say "5. The whole story, what left, and the proof"
expect 0 opledger incident show inc-1
expect 0 opledger egress list
expect 0 opledger log verify --deep

say "The database's superuser edits one byte of one entry, in a copy of the cluster"
seq=$(sed -n 's/.*recorded hyp-1 as entry \([0-9]*\).*/\1/p' "$play/transcript" | head -n 1)
OPLEDGER_TOKEN=$(login_token) expect 4 "$here/tamper-one.sh" "$data" "$play/tampered" "${seq:-20}"
holds "log verify: entry ${seq:-20} is wrong"
holds '(exit 4)'
rm -rf "$play/tampered"

as ben
login_token > "$play/ben.token"
chmod 600 "$play/ben.token"
