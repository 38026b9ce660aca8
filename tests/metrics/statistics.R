# SPDX-License-Identifier: MIT
# Computes again the statistics that tests/metrics/statistics prints (standard
# input), and prints for each in how many sets it is equal within 1e-9. Fewer than
# 5 times, or 10 trials, have no interval.
suppressPackageStartupMessages(library(survival))

lines <- strsplit(readLines(file("stdin")), " ")
names(lines) <- sapply(lines, `[`, 1)
lines <- lapply(lines, function(line) as.numeric(line[-1]))
given <- function(name) unname(lines[names(lines) == name])

same <- function(ours, theirs) {
    number <- !is.na(theirs)
    all(is.na(ours) == !number) &&
        all(abs(ours - theirs)[number] <= 1e-9 * pmax(1, abs(theirs[number])))
}

survival_of <- function(times, captured, said) {
    fit <- survfit(Surv(times, captured) ~ 1, conf.type = "log-log")
    quartiles <- quantile(fit, c(.25, .5, .75))
    limit <- said[1]
    table <- summary(fit, rmean = limit)$table
    few <- if (length(times) < 5) NA else 0
    c(limit, quartiles$quantile, quartiles$lower + few, quartiles$upper + few,
      table[c("rmean", "se(rmean)")])
}

# Without limits where the curve is 1 or 0.
curve_of <- function(times, captured) {
    fit <- survfit(Surv(times, captured) ~ 1, conf.type = "log-log")
    inside <- ifelse(fit$surv > 0 & fit$surv < 1, 0, NA)
    c(rbind(fit$time, fit$n.risk, fit$n.event, fit$n.censor, fit$surv,
            fit$lower + inside, fit$upper + inside))
}

risks_of <- function(times, captured, said) {
    fit <- survfit(Surv(times, captured) ~ 1)
    at <- said[1:11]
    c(at, summary(fit, times = at, extend = TRUE)$n.risk)
}

wilcoxon_of <- function(differences) {
    warned <- FALSE # that the normal approximation is used instead of the exact p
    test <- withCallingHandlers(wilcox.test(differences), warning = function(w) {
        warned <<- TRUE
        invokeRestart("muffleWarning")
    })
    c(test$statistic, test$p.value, !warned && sum(differences != 0) < 50)
}

proportion_of <- function(said) {
    few <- if (said[2] < 10) NA else 0
    c(said[1:2], suppressWarnings(prop.test(said[1], said[2], correct = FALSE))$conf.int + few)
}

count <- function(name, theirs) {
    agree <- mapply(same, given(name), theirs)
    cat(name, " ", sum(agree), " of ", length(agree), "\n", sep = "")
    for (i in which(!agree)) {
        cat("set", i, "ours  ", format(given(name)[[i]], digits = 15), "\n")
        cat("set", i, "theirs", format(theirs[[i]], digits = 15), "\n")
    }
}

count("survival", mapply(survival_of, given("times"), given("captured"),
                         given("survival"), SIMPLIFY = FALSE))
count("curve", mapply(curve_of, given("times"), given("captured"), SIMPLIFY = FALSE))
count("risks", mapply(risks_of, given("times"), given("captured"), given("risks"),
                      SIMPLIFY = FALSE))
count("proportion", lapply(given("proportion"), proportion_of))
count("wilcoxon", lapply(given("differences"), wilcoxon_of))
count("holm", lapply(given("p"), p.adjust, method = "holm"))
