/* SPDX-License-Identifier: Apache-2.0 */
/* Force-included everywhere: functions without a bound, or with hidden state, do not compile. */
#ifndef OPLEDGER_BANNED_H
#define OPLEDGER_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#pragma GCC poison strcpy strcat strncpy strncat sprintf vsprintf gets strtok atoi atol atof gmtime
#pragma GCC poison localtime ctime asctime mktemp tmpnam

#endif
