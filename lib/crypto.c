/* SPDX-License-Identifier: Apache-2.0 */
#include <opledger/crypto.h>
