# Sourced by ./run and ./check: installs Debian packages that are missing, or says how.

build_packages=(
    build-essential cmake ninja-build pkg-config git ca-certificates
    libpq-dev libmicrohttpd-dev libjansson-dev libsodium-dev libssl-dev libvectorscan-dev
    libpcre2-dev libyaml-dev libzstd-dev libcurl4-openssl-dev
    postgresql-15 openssh-client
)
incident_packages=(slurmctld slurm-client munge) # the scheduler whose change the incident gates
test_packages=(libcmocka-dev python3 procps curl zstd)

missing_packages() {
    dpkg-query -W -f='${db:Status-Abbrev} ${Package}\n' "$@" 2>/dev/null |
        awk '$1 == "ii" { print $2 }' | sort > "$tmp_have"
    printf '%s\n' "$@" | sort | comm -23 - "$tmp_have"
}

# Services of the installed packages (a PostgreSQL cluster, munged) are not wanted: opledger runs its
# own. For the time of the installation a policy file says so, unless the machine has one already.
install_quietly() {
    local policy=/usr/sbin/policy-rc.d mine=
    if [ ! -e $policy ]; then
        mine=1
        printf '#!/bin/sh\nexit 101\n' > $policy
        chmod 755 $policy
    fi
    if ! dpkg-query -W postgresql-common >/dev/null 2>&1; then
        mkdir -p /etc/postgresql-common/createcluster.d
        echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.d/opledger.conf
    fi
    local status=0
    apt-get update -q >/dev/null && DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends "$@" >/dev/null || status=$?
    [ -z "$mine" ] || rm -f $policy
    return $status
}

ensure_packages() {
    local tmp_have missing
    tmp_have=$(mktemp)
    missing=$(missing_packages "$@" | tr '\n' ' ')
    rm -f "$tmp_have"
    [ -n "${missing// /}" ] || return 0
    if [ "$(id -u)" != 0 ]; then
        echo "These packages are missing. Run this one command, then start again:" >&2
        echo "  sudo apt-get install --no-install-recommends $missing" >&2
        exit 2
    fi
    echo "installing: $missing"
    # shellcheck disable=SC2086
    install_quietly $missing
}
