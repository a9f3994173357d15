"""What Python writes into the page. Words in braces are filled in."""

from __future__ import annotations

PAGE: dict[str, str] = {
    "language": "en",
    "skip": "Skip to the calculator",
    "noscript": "The calculator and the charts need JavaScript, which is switched off here.",
    "too old": "The calculator and the charts need a browser from 2023 or later.",
    "nav": "Sections",
    "nav.calculator": "Calculator",
    "nav.effects": "Effects",
    "nav.evidence": "Evidence",
    "nav.card": "Model card",
    "nav.statistics": "For statisticians",
    "nav.about": "About",
    "not stated": "not stated",
    "class": "class",
    "title.or": "{first} or {last}",
    "title.others": "{n} others",
    # Head
    "head.risk": "Risk of {event}",
    "head.risk.meaning": "Risk of {event}: {meaning}",
    "head.plain": "Probability of {event}",
    "head.plain.meaning": "Probability of {event}: {meaning}",
    "head.many": "Probabilities of {n} classes",
    "head.many.meaning": "Probabilities of {n} classes: {meaning}",
    "head.population": "For: {text}",
    "head.not_for": "Not for: {text}",
    "head.told": "{event} is taken as the event because of its name.",
    "head.literal": "It is not stated whether {event} is good or bad, so nothing here is colored as a risk.",
    "head.version": "version {text}",
    # Calculator
    "calculator.title": "Risk calculator",
    "calculator.title.plain": "Calculator",
    "calculator.lead": "Fill in what you know and leave the rest unknown. Everything is computed in this page; nothing "
    "is sent anywhere.",
    "calculator.lead.tree": "An unknown answer is averaged over all its possible values.",
    "calculator.lead.paper": "An unknown answer drops out of the product, by the rule of the paper.",
    "calculator.lead.weighted": "Unknown answers are averaged over their possible values, given the known ones: "
    "the fewer answers you give, the less precise the result.",
    "calculator.form": "Answers for one person",
    "calculator.result": "Result",
    "calculator.row": "Load a row",
    "calculator.row.none": "choose …",
    "calculator.clear": "Clear all",
    "calculator.copy": "Copy as text",
    "calculator.link": "Copy link",
    "calculator.print": "Print",
    "calculator.for": "Compare",
    "calculator.against": "with",
    # Effects
    "effects.title": "What does each value do?",
    "effects.says": "How the values of a feature change the odds of {event}, all else being equal: above ×\u00a01 they "
    "raise the odds, below it they lower them. The most important come first. Gray shows how the training rows are "
    "spread. Once the form is filled in, the person's own place is marked.",
    "effects.says.many": "How the values of a feature change the odds of one class, all else being equal: above "
    "×\u00a01 they raise the odds, below it they lower them. The most important come first. Gray shows how the "
    "training rows are spread. Once the form is filled in, the person's own place is marked.",
    "effects.bands": "Pale bands around curves, and thin lines on bars, show where the effect would lie with other "
    "training rows (90% interval).",
    # Evidence
    "evidence.title": "How good is it?",
    "evidence.none": "Not measured: this page was made without rows whose class is known.",
    "evidence.obstacle.outcome": "Not measured: the rows given are training rows and lack a class, so no model can be "
    "fitted without them. Make the page with all training rows, or with rows that the model has not seen.",
    "evidence.obstacle.class": "Not measured: a class has only one training row, so no model can be fitted without it. "
    "Make the page with rows that the model has not seen.",
    "evidence.obstacle.group": "Not measured: all rows of a class belong to one group, so no model can be fitted "
    "without it. Make the page with rows that the model has not seen.",
    "evidence.class": "Class",
    "who.title": "Who was measured",
    "who.rows": "{rows} people or cases. The outcome was {event} for {events} of them ({share}).",
    "who.rows.many": "{rows} people or cases in {classes} classes.",
    "who.seen": "All of them are the rows the model was fitted to. They were split into {folds} parts; each part was "
    "scored by a model fitted anew to the other parts, so no row was scored by a model that had seen it "
    "(cross-validation).",
    "who.new": "None of them is a row the model was fitted to. The model itself scored them.",
    "who.stated": "The model itself scored them. The makers of this page state that none of them was used in training.",
    "who.unstated": "The model itself scored them: valid only for rows not used in training. A model file cannot tell "
    "whether these were.",
    "who.kept": "They are rows the model was fitted to. When it was fitted, they were split into {folds} parts; "
    "each part was scored by a model fitted anew to the other parts (cross-validation). The scores are kept in the "
    "model file, without counts of one to four people.",
    "who.kept.once": "They are one of {folds} parts of rows the model was fitted to. When it was fitted, they were "
    "scored by a model fitted anew to the other parts. The scores are kept in the model file, without counts of one to "
    "four people.",
    "who.some": "{seen} of them are rows the model was fitted to; these were scored by models fitted anew to others "
    "(cross-validation with {folds} parts). The model itself scored the other {new}.",
    "who.groups": "Rows of the same group always stayed in the same part.",
    "who.source": "Source: {text}.",
    "who.period": "Period: {text}.",
    "who.intervals": "Ranges in brackets are 95% intervals. They treat rows as independent.",
    "who.intervals.groups": "Ranges in brackets are 95% intervals. They take into account that rows of a group are "
    "similar, except those of the decisions at a threshold, which treat rows as independent.",
    "evidence.unstated": "Valid only for rows not used in training.",
    "discrimination.title": "Does it tell people apart?",
    "discrimination.says": "Discrimination: whether people whose outcome is {event} get higher probabilities than "
    "others.",
    "calibration.title": "Are the probabilities right?",
    "calibration.says": "Calibration: of 100 people given 30%, the outcome should be {event} for about 30. The curve "
    "shows what was observed, smoothed by a spline; on the dashed line the two agree. The band is a 95% interval.",
    "overall.title": "Overall",
    "overall.says": "How far the probabilities are from what happened, all rows together.",
    "benefit.title": "Is it worth acting on?",
    "benefit.says": "Decision curve: the benefit of acting on everyone at or above a threshold, compared with acting "
    "on everyone or on no one. A threshold of 20% means that finding one person is worth four false alarms. The model "
    "is useful where its line is the highest.",
    "spread.title": "Who gets which probability?",
    "spread.says": "People by predicted probability: above the line those whose outcome is {event}, below it the "
    "others.",
    "threshold.title": "What does a threshold do?",
    "threshold.says": "Choose a threshold at or above which one would act.",
    "threshold.slider": "Threshold",
    "threshold.small": "Not shown: the model file does not keep counts of one to four people, and there are no others.",
    "instability.title": "Would another sample give the same answer?",
    "instability.says": "Instability: the model was fitted again to {refits} random samples of its training rows. The "
    "band shows where 95% (dark: 50%) of the refitted probabilities lie for people with the same probability here.",
    "instability.none": "Not measured: it needs the rows the model was fitted to.",
    "instability.off": "Not measured: refits were switched off when this page was made.",
    "parts.title": "Is it as good for everyone?",
    "parts.says": "The same measures by group. A group is marked where its probabilities are clearly wrong; groups "
    "with fewer than ten people of either outcome are not judged.",
    "parts.none": "Not measured: no groups were named when this page was made.",
    "parts.missing": "not recorded",
    "parts.below": "below {high}",
    "parts.between": "{low} to below {high}",
    "parts.from": "{low} or more",
    "classes.title": "Most probable class",
    "classes.hidden": "The model file does not keep counts of one to four people, nor others from which they would "
    "follow: they are shown as –.",
    "classes.says": "What happens if everyone is assigned to the most probable class. If one class is much more "
    "frequent, this says little about a risk.",
    # Model card
    "card.title": "Model card",
    "card.lead": "What a reader needs to know before using the model. What its makers did not say is shown as not "
    "stated.",
    "card.intended_use": "Intended use",
    "card.not_for": "Not for",
    "card.population": "Population",
    "card.outcome": "Outcome",
    "card.outcome.says": "{event}: {meaning}",
    "card.predictors": "Predictors",
    "card.predictors.says": "{used} of {features} columns, the most important first: {names}.",
    "card.data": "Training data",
    "card.data.rows": "{rows} rows: {classes}.",
    "card.data.class": "{rows} {name}",
    "card.data.prior": "The starting probabilities of the classes were set by hand.",
    "card.missing": "Missing data",
    "card.missing.none": "No predictor had missing values in training.",
    "card.missing.some": 'Missing in training: {names}. For these, "not recorded" counts as a value of its own.',
    "card.fitting": "How it was fitted",
    "card.fitting.weighted": "Generalized Naive Bayes (gnbayes {version}): a sum of tables, of single predictors "
    "({single}), pairs ({pairs}) and triples ({triples}), fitted to predict the class with {how}.",
    "card.fitting.penalised": "ridge penalties",
    "card.fitting.boosted": "ridge penalties and, as far as this helps on held-out rows, averaged with tables learned "
    "by boosting, straight lines and naive Bayes",
    "card.fitting.counted": "Generalized Naive Bayes (gnbayes {version}): counted probabilities of each predictor, "
    "given the class and one related predictor.",
    "card.performance": "Performance",
    "card.performance.auroc": "AUROC {value}",
    "card.performance.auroc.interval": "AUROC {value} ({low} to {high})",
    "card.performance.slope": ", calibration slope {value}",
    "card.performance.slope.interval": ", calibration slope {value} ({low} to {high})",
    "card.performance.brier": ", Brier score {value}.",
    "card.performance.many": "Accuracy {value} ({low} to {high}), log-loss {loss}.",
    "card.performance.seen": "By cross-validation.",
    "card.performance.new": "On rows that it was not fitted to.",
    "card.performance.stated": "On other rows; its makers state that none of them was used in training.",
    "card.performance.unstated": "On rows given with the model; valid only for rows not used in training.",
    "card.performance.kept": "By cross-validation when it was fitted.",
    "card.performance.kept.once": "On rows that were held out when it was fitted.",
    "card.performance.some": "By cross-validation, and on other rows given with the model.",
    "card.limits": "Limits",
    "card.limits.internal": "It has not been measured here on people from another place or time.",
    "card.limits.unstated": "Its makers must make sure that the rows it was measured on were not used to fit it.",
    "card.limits.few": "The rarer outcome has only {n} training rows, fewer than ten per predictor.",
    "card.limits.parts": "Its probabilities are clearly wrong for: {names}.",
    "card.limits.device": "It repeats what its training rows say. It is not a medical device and makes no decision.",
    "card.source": "Source of the data",
    "card.period": "Period",
    "card.authors": "Authors",
    "card.version": "Version",
    "card.date": "Date",
    "card.contact": "Contact",
    # For statisticians
    "statistics.title": "For statisticians",
    "statistics.used": "It uses {used} of {features} features.",
    "statistics.gnb-a": "Each feature but the first may depend on one other feature, its parent. Parents were chosen "
    "step by step, the most informative feature first (GNB-A).",
    "statistics.gnb-o": "Each feature but the first may depend on one other feature, its parent. The tree has the "
    "largest weight among those that contain the most informative pair (GNB-O).",
    "statistics.tan": "Each feature but the first may depend on one other feature, its parent. The tree has the "
    "largest weight of all (TAN).",
    "statistics.tree": "Each feature but the first may depend on one other feature, its parent. The tree is "
    "{description}.",
    "statistics.nb": "Every feature counts on its own (naive Bayes).",
    "statistics.weight": "The weight of the tree, a measure of how closely it follows the training data, is {weight} "
    "nats (the natural unit of information; 0.69 nats are one bit); naive Bayes with the same features has {naive}.",
    "statistics.weight.nb": "Its weight, a measure of how closely it follows the training data, is {weight} nats (the "
    "natural unit of information; 0.69 nats are one bit).",
    "statistics.weighted": "The tables were fitted together to predict the class, with ridge penalties; they are not "
    "shares of rows.",
    "statistics.boosted": "The tables were fitted together to predict the class, with ridge penalties, and again by "
    "boosting, as straight lines and by naive Bayes; the model is a weighted mean, with weights chosen on held-out "
    "rows. Tables are not shares of rows.",
    # Tree
    "tree.title": "The tree",
    "tree.lead": "Lines lead down from each feature to those that depend on it, its children. The fuller the dot, the "
    "more informative the feature is about the class by itself; the wider the line, the more it has in common with its "
    "parent. Choose a feature to see its table.",
    "tree.lead.nb": "Every feature stands on its own. The fuller the dot, the more informative it is about the class. "
    "Choose a feature to see its table.",
    "tree.label": "Tree of features. Arrow keys move, Enter chooses.",
    "tree.in": "Zoom in",
    "tree.out": "Zoom out",
    "tree.fit": "Whole tree",
    "tree.node": "{name}, given {mother}",
    "tree.root": "{name}, given nothing",
    "tree.detail": "Details of the feature",
    # Number of features
    "number.title": "With fewer features",
    "number.lead": "The same kind of model with fewer features, the one that adds most first. Every point comes from "
    "cross-validation: bins, order, tree and tables were learned anew without the rows that are scored. These "
    "models have only the pairs of the tree and are fitted once; the last point is the model of this page.",
    "number.features": "Which features",
    "number.none": "Not measured: it needs the rows the model was fitted to.",
    "number.slider": "Number of features",
    "number.loss": "Log-loss",
    "number.shares": "AUROC and accuracy",
    # Importance
    "importance.title": "How important the features are",
    "importance.lead": "Importance: the mean size of what a feature adds to the log-odds, over the training rows, as a "
    "share of all. New about the class: what a feature adds about the class beyond its parent. Weight: what it "
    "adds to the fit of the tree, including what it has in common with its parent; a mere copy of another feature has "
    "a large weight and adds nothing new.",
    "importance.weighted": "The last two are counted from the training rows, before the tables were fitted.",
    "importance.feature": "Feature",
    "importance.importance": "Importance",
    "importance.class": "New about the class",
    "importance.weight": "Weight",
    # Data quality
    "quality.title": "Data quality",
    "quality.fine": "Nothing found in {checked} columns: no missing values, and no constant or duplicate columns.",
    "quality.fine.nb": "Nothing found in {checked} columns: no missing values, and no constant columns. Naive Bayes "
    "does not look for duplicate columns.",
    "quality.seen": "No row given has a value that training never saw.",
    "quality.found": "{found} of {checked} columns need a look.",
    "quality.column": "Column",
    "quality.missing": "Missing in training",
    "quality.missingHere": "Missing in the rows given",
    "quality.unseenHere": "Never seen before",
    "quality.impossibleHere": "Impossible",
    "quality.notes": "Notes",
    "quality.constant": "one value only",
    "quality.empty": "no value at all",
    "quality.same": "the same as {name}, value for value, in every training row",
    "quality.unused": "not used",
    "quality.norows": "Unseen values can only be found with other rows; none were given.",
    # About
    "about.title": "About this page",
    "about.rows.none": "This page contains counts, scores and ranges of columns, but no rows of data. Counts can be "
    "small: a count of one is one person.",
    "about.rows.some": "This page contains {n} rows of data, because they were requested. Treat it like the data.",
    "about.offline": "It makes no request to the network. What you type stays in this page, and in its address after "
    "the sign #, so that a copied link shows the same answers. Anyone who has the link can read them.",
    "about.method": "The numbers are those of the Python library gnbayes {version}, which wrote this page. Smoothing: "
    "{smoothing}.",
    "about.method.weighted": "The numbers are those of the Python library gnbayes {version}, which wrote this page.",
    "about.smoothing.additive": "additive, {alpha}",
    "about.smoothing.backoff": "back-off, {alpha}",
    "about.smoothing.paper": "the paper's steps 1 to 4",
    "about.smoothing.repair": "every zero repaired by the paper's steps 3 and 4",
    "about.measures": "AUROC with the standard error of DeLong et al. (1988), on the log-odds scale; calibration by "
    "logistic recalibration and a restricted cubic spline of the log-odds; ICI, E50 and E90 of Austin and Steyerberg "
    "(2019); net benefit of Vickers and Elkin (2006); instability of Riley and Collins (2023); shares with Wilson's "
    "intervals.",
    "about.paper": "The method: E. A. Kovács, A. Ország, D. Pfeifer and A. Benczúr (2024), Generalized Naive Bayes, "
    "arXiv:2408.15923.",
}
