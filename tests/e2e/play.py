#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The incident that ./run plays, through this build's programs and a real slurmctld."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["SOURCE_DIR"], "tests", "support"))
import opledgerd as o  # noqa: E402

server = o.Opledgerd()
try:
    os.chmod(server.data, 0o755)
    status = subprocess.run(
        [os.path.join(os.environ["SOURCE_DIR"], "tests/e2e/incident.sh"), server.data],
        env={**os.environ, "OPLEDGER_URL": server.url,
             "PATH": f"{os.environ['BINARY_DIR']}/bin:{os.environ['PATH']}"}, check=False).returncode
finally:
    server.close()
sys.exit(status)
