# SPDX-License-Identifier: MIT
# For the scripts that draw starts and maps, before them:
#
#     awk -f samples/random.awk -f samples/watanabe-2021/yards.awk ...

BEGIN { state = 1 }

# A whole number from low to high, by the minimal standard generator (Park and
# Miller 1988): the same with every awk.
function draw(low, high) {
    state = state * 16807 % 2147483647
    return low + int(state / 2147483647 * (high - low + 1))
}
