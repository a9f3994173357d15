# Numbers of R for risks.csv: Rscript golden.R > golden_r.txt
# R 4.2.2 with rms 6.5-0 and pROC 1.18.0 (Debian 12: r-cran-rms, r-cran-proc).
suppressMessages({library(rms); library(pROC)})
data <- read.csv("risks.csv")
p <- data$risk; y <- data$event; lp <- qlogis(p)
say <- function(name, value) cat(name, sprintf("%.10g", value), "\n")
area <- ci.auc(roc(y, p, quiet = TRUE, direction = "<"), method = "delong")
say("auroc", area[2]); say("auroc_low", area[1]); say("auroc_high", area[3])
found <- val.prob(p, y, pl = FALSE)
say("brier", found["Brier"]); say("val_prob_area", found["C (ROC)"])
say("slope", found["Slope"])
line <- glm(y ~ lp, family = binomial)
say("slope_low", confint.default(line)["lp", 1]); say("slope_high", confint.default(line)["lp", 2])
shift <- glm(y ~ offset(lp), family = binomial)
say("intercept", coef(shift)); say("intercept_low", confint.default(shift)[1]); say("intercept_high", confint.default(shift)[2])
spline <- lrm(y ~ rcs(lp, 5))
at <- seq(sort(p)[5], sort(p)[length(p) - 4], length.out = 50)
curve <- predict(spline, data.frame(lp = qlogis(at)), se.fit = TRUE)
z <- qnorm(0.975)
for (i in c(1, 5, 10, 25, 40, 50)) {
  say(paste0("curve_", i), plogis(curve$linear.predictors[i]))
  say(paste0("curve_low_", i), plogis(curve$linear.predictors[i] - z * curve$se.fit[i]))
  say(paste0("curve_high_", i), plogis(curve$linear.predictors[i] + z * curve$se.fit[i]))
}
distance <- abs(p - plogis(predict(spline)))
say("ici", mean(distance)); say("e50", median(distance)); say("e90", quantile(distance, 0.9))
# Loess, as in Austin and Steyerberg (2019), to see that the choice of the smoother does not matter much.
smooth <- predict(loess(y ~ p), p)
say("loess_ici", mean(abs(p - smooth)))
for (group in 0:1) {
  part <- data[seq_len(nrow(data)) %% 2 == group, ]
  fit <- glm(event ~ offset(qlogis(risk)), family = binomial, data = part)
  say(paste0("part_intercept_", group), coef(fit))
  say(paste0("part_slope_", group), coef(glm(event ~ qlogis(risk), family = binomial, data = part))[2])
}
