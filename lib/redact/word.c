/* SPDX-License-Identifier: Apache-2.0 */
/* Words that are no names even when somebody bears them. Sorted: searched by halves. */
#include "names.h"

#include <ctype.h>

static const char *const words[] = {
    "accept",     "access",    "account",  "accounting", "adm",     "admin",     "alarm",
    "all",        "allocated", "apache",   "api",        "array",   "backup",    "bash",
    "batch",      "bin",       "bind",     "boot",       "brk",     "broadcast", "build",
    "cache",      "chdir",     "check",    "chmod",      "chown",   "chroot",    "client",
    "clone",      "close",     "cloud",    "cluster",    "compute", "config",    "connect",
    "controller", "cpu",       "creat",    "cron",       "daemon",  "data",      "database",
    "date",       "debug",     "default",  "delete",     "dev",     "dial",      "dialout",
    "disk",       "dns",       "done",     "down",       "dup",     "echo",      "env",
    "epoll",      "error",     "etc",      "execve",     "exit",    "fail",      "failed",
    "false",      "fcntl",     "file",     "flock",      "fork",    "fsync",     "ftp",
    "futex",      "games",     "gateway",  "general",    "getpid",  "getuid",    "git",
    "gnats",      "gpu",       "group",    "guest",      "hash",    "head",      "home",
    "host",       "hostname",  "http",     "https",      "idle",    "info",      "init",
    "inode",      "input",     "ioctl",    "irc",        "job",     "jobs",      "kernel",
    "kill",       "kvm",       "ldap",     "level",      "lib",     "link",      "linux",
    "list",       "listen",    "local",    "localhost",  "lock",    "log",       "login",
    "logs",       "lseek",     "lustre",   "mail",       "main",    "man",       "master",
    "mem",        "memory",    "message",  "messagebus", "mkdir",   "mmap",      "monitor",
    "mount",      "mprotect",  "munge",    "munmap",     "mysql",   "name",      "net",
    "network",    "news",      "nfs",      "nginx",      "nobody",  "node",      "nodes",
    "nogroup",    "none",      "null",     "number",     "open",    "openat",    "operator",
    "output",     "owner",     "part",     "partition",  "passwd",  "path",      "pipe",
    "plugdev",    "polkitd",   "poll",     "port",       "postfix", "postgres",  "prctl",
    "proc",       "process",   "proxy",    "queue",      "rack",    "read",      "readv",
    "recv",       "recvfrom",  "recvmsg",  "rename",     "render",  "root",      "run",
    "running",    "sched",     "script",   "select",     "send",    "sendmsg",   "sendto",
    "server",     "service",   "shadow",   "shell",      "signal",  "site",      "slurm",
    "slurmctld",  "slurmd",    "slurmdbd", "socket",     "spool",   "src",       "ssh",
    "sshd",       "staff",     "start",    "stat",       "state",   "stderr",    "stdin",
    "stdout",     "stop",      "storage",  "string",     "sudo",    "sync",      "sys",
    "syscall",    "syslog",    "system",   "systemd",    "tape",    "task",      "test",
    "time",       "tmp",       "true",     "tty",        "type",    "uname",     "unknown",
    "unlink",     "update",    "user",     "users",      "usr",     "uucp",      "value",
    "var",        "version",   "video",    "voice",      "wait",    "waitpid",   "warning",
    "web",        "write",     "writev",   "www-data",   "zero",
};

bool word_is_ordinary(const char *text, size_t len)
{
    size_t low = 0, high = sizeof(words) / sizeof(words[0]);
    char lower[16];

    if (len < 3)
        return true;
    if (len >= sizeof(lower))
        return false;
    for (size_t i = 0; i < len; i++)
        lower[i] = (char)tolower((unsigned char)text[i]);
    lower[len] = 0;
    while (low < high) {
        size_t mid = (low + high) / 2;
        int order = strcmp(lower, words[mid]);

        if (order == 0)
            return true;
        if (order < 0)
            high = mid;
        else
            low = mid + 1;
    }
    return false;
}
