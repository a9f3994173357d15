"""Every English word of the page, in one place.

`PAGE` is for what Python writes, `SCRIPT` for what the page says as it is used. Words in braces are filled in; names of
columns, categories and classes are only ever filled in, never part of a string.
"""

from __future__ import annotations

PAGE: dict[str, str] = {
    "language": "en",
    "skip": "Skip to the calculator",
    "subtitle": "A Generalized Naive Bayes model that computes in this page, offline",
    "noscript": "The calculator, the curves and the details need JavaScript, which is switched off here.",
    "nav": "Sections",
    "nav.summary": "Summary",
    "nav.calculator": "Calculator",
    "nav.tree": "How it thinks",
    "nav.number": "How many features",
    "nav.importance": "Importance",
    "nav.quality": "Data quality",
    "nav.about": "About",
    # Summary
    "summary.title": "Summary",
    "summary.rows": "Learned from {rows} rows",
    "summary.class": "{name}: {rows} ({share})",
    "summary.prior": "The starting probabilities of the classes were set by hand.",
    "summary.used": "It uses {used} of {features} features.",
    "summary.gnb-a": "Each feature but the first may depend on one other feature, its mother. Which one was learned "
    "step by step, the most telling feature first (GNB-A).",
    "summary.gnb-o": "Each feature but the first may depend on one other feature, its mother. The mothers are the "
    "best that contain the most telling pair (GNB-O).",
    "summary.tan": "Each feature but the first may depend on one other feature, its mother. The mothers are the "
    "best of all (TAN).",
    "summary.nb": "Every feature counts on its own, whatever the others say (naive Bayes).",
    "summary.weight": "The weight of its tree, a measure of how closely it follows the training data, is {weight} "
    "nats. Naive Bayes reaches {naive} with the same features.",
    "summary.weight.nb": "Its weight, a measure of how closely it follows the training data, is {weight} nats.",
    "summary.weighted": "What a value counts for was tuned, all features together, to give the best probabilities of "
    "the class; it is not a mere share of rows (weighting: discriminative).",
    "summary.scores": "How good it is",
    "summary.scores.new": "Measured on {rows} rows that were given with the model, with all {used} features. Where it "
    "was learned from some of them, the numbers are too good. In brackets: 95 % intervals.",
    "summary.scores.leave-one-out": "Measured on the {rows} training rows, each scored by the model of all others "
    "(leave-one-out), with all {used} features. Intervals and tree have seen every row, so the numbers are somewhat "
    "too good. In brackets: 95 % intervals.",
    "summary.scores.cross-validation": "Measured on the {rows} training rows, cut into {folds} parts, each scored by a "
    "model that was learned anew from the others (cross-validation), with all {used} features. In brackets: 95 % "
    "intervals.",
    "summary.scores.training": "Measured on the very {rows} rows it was learned from, with all {used} features. "
    "These numbers are too good: use rows that it has not seen. In brackets: 95 % intervals.",
    "summary.scores.none": "Not measured: the page was made without rows whose class is known.",
    "summary.score": "{mean}",
    "summary.interval": "({low} to {high})",
    # Scores
    "score.accuracy": "Accuracy",
    "score.accuracy.says": "share of rows whose class is the most probable one; always saying {commonest} gives "
    "{share}",
    "score.auc": "AUC",
    "score.auc.says": "how well it ranks: 50 % is chance, 100 % is perfect",
    "score.sensitivity": "Sensitivity",
    "score.sensitivity.says": "share of {positive} that is found",
    "score.specificity": "Specificity",
    "score.specificity.says": "share of {negative} that is left alone",
    "score.balanced": "Balanced accuracy",
    "score.balanced.says": "accuracy with every class counting the same",
    "score.logloss": "Log-loss",
    "score.logloss.says": "cost of wrong confidence; lower is better",
    # Calculator
    "calculator.title": "Risk calculator",
    "calculator.lead": "Fill in what you know and leave the rest unknown: unknown features are left out exactly, by "
    "summing over all their values. Everything is computed in this page and goes nowhere.",
    "calculator.lead.paper": "Fill in what you know and leave the rest unknown: unknown features drop out of the "
    "product, by the paper's rule. Everything is computed in this page and goes nowhere.",
    "calculator.lead.weighted": "Fill in what you know and leave the rest unknown: the result is averaged over what "
    "the unknown features may be, given the known ones. The fewer answers you give, the less it can tell. "
    "Everything is computed in this page and goes nowhere.",
    "calculator.form": "Values of one patient",
    "calculator.result": "Result",
    "calculator.row": "Load a row",
    "calculator.row.none": "choose …",
    "calculator.clear": "Set all to unknown",
    "calculator.copy": "Copy as text",
    "calculator.link": "Copy link",
    "calculator.print": "Print",
    "calculator.count": "Features used",
    "calculator.for": "Evidence for",
    "calculator.against": "against",
    # Tree
    "tree.title": "How it thinks",
    "tree.lead": "Lines lead down from each feature to those that depend on it, its daughters. The fuller the dot, "
    "the more it tells of the class by itself; the wider the line, the more it and its mother say the same. Choose "
    "a feature to see its table.",
    "tree.lead.nb": "Every feature stands on its own. The fuller the dot, the more it tells of the class. Choose a "
    "feature to see its table.",
    "tree.label": "Tree of features. Arrow keys move, Enter chooses.",
    "tree.in": "Zoom in",
    "tree.out": "Zoom out",
    "tree.fit": "Whole tree",
    "tree.node": "{name}, given {mother}",
    "tree.root": "{name}, given nothing",
    "tree.detail": "Details of the feature",
    # Number of features
    "number.title": "How many features",
    "number.lead": "Features join in the order of the tree. Move the slider: the scores, the pictures and the "
    "calculator follow.",
    "number.lead.weighted": "This model was tuned for all its features together, so the calculator always uses all of "
    "them. For fewer features the slider shows the same tree with probabilities that are counted instead of tuned; its "
    "last place is the model itself.",
    "number.lead.weighted.none": "Features join in the order of the tree. This model was tuned for all of them "
    "together, so the calculator always uses all.",
    "number.own": "This model",
    "number.own.says": "The scores of the model itself.",
    "number.slider": "Number of features",
    "number.best": "Least log-loss: {n}",
    "number.best.counted": "Counted, least log-loss: {n}",
    "number.best.says": "The number of features with the least log-loss.",
    "number.fewest": "Fewest that are as good: {n}",
    "number.fewest.counted": "Counted, fewest that are as good: {n}",
    "number.fewest.says": "The fewest features whose log-loss is within one standard error of the least.",
    "number.none": "There are no scores, because the page was made without rows whose class is known. The curve "
    "shows what the model knows by itself: how much of the class the first features tell together, as a share of "
    "what all tell.",
    "number.scores": "Scores",
    "number.confusion": "Confusion matrix",
    "number.roc": "ROC curve",
    "number.calibration": "Calibration",
    "number.class": "Class",
    "number.curve": "Scores by number of features",
    "number.loss": "Log-loss by number of features",
    "number.information": "What the first features tell of the class",
    # Importance
    "importance.title": "Importance",
    "importance.lead": "Two ways to look at it. New about the class: what a feature tells of the class beyond its "
    "mother. Weight: what it adds to the model's fit, counting also what it shares with its mother; a mere copy has "
    "much weight and tells nothing new.",
    "importance.weighted": "Both are measured on the training rows, by the intervals in the tables above, before "
    "tuning.",
    "importance.feature": "Feature",
    "importance.class": "New about the class",
    "importance.weight": "Weight",
    # Data quality
    "quality.title": "Data quality",
    "quality.fine": "Nothing found in {checked} columns: no missing, constant or repeated values.",
    "quality.fine.nb": "Nothing found in {checked} columns: no missing or constant values. Naive Bayes does not look "
    "for repeated ones.",
    "quality.seen": "None of the rows given has a value that training never saw.",
    "quality.found": "{found} of {checked} columns have something to look at.",
    "quality.column": "Column",
    "quality.missing": "Missing in training",
    "quality.missingHere": "Missing in the rows given",
    "quality.unseenHere": "Never seen before",
    "quality.notes": "Notes",
    "quality.constant": "one value only",
    "quality.empty": "no value at all",
    "quality.same": "goes with {name}, value for value, in every training row",
    "quality.unused": "not used",
    "quality.norows": "Unseen values can only be found with other rows; none were given.",
    # About
    "about.title": "About this page",
    "about.rows.none": "This page holds counts and scores, but no rows of data. Counts can be small: a count of one "
    "is one person.",
    "about.rows.some": "This page holds {n} rows of data, because they were asked for. Treat it like the data.",
    "about.offline": "It asks the network for nothing. What you type stays in this page, and in its address after "
    "the sign #, so that a copied link shows the same patient. Whoever has the link can read the values.",
    "about.method": "The numbers are equal to those of the Python library gnbayes {version}, which wrote this page. "
    "Smoothing: {smoothing}.",
    "about.method.weighted": "The numbers are equal to those of the Python library gnbayes {version}, which wrote this "
    "page. The tables were tuned for the class (weighting: discriminative).",
    "about.smoothing.additive": "additive, {alpha}",
    "about.smoothing.backoff": "back-off, {alpha}",
    "about.smoothing.paper": "the paper's steps 1 to 4",
    "about.smoothing.repair": "every zero repaired by the paper's steps 3 and 4",
    "about.caution": "A model repeats what its training rows say. It is no medical device and takes no decision.",
    "about.paper": "The method: E. A. Kovács, A. Ország, D. Pfeifer and A. Benczúr (2024), Generalized Naive Bayes, "
    "arXiv:2408.15923.",
}

SCRIPT: dict[str, str] = {
    "unknown": "unknown",
    "notRecorded": "not recorded",
    "notRecordedOf": "{name}: not recorded",
    "notRecordedHint": "not recorded in {rows} training rows",
    "below": "below {high}",
    "between": "{low} to {high}",
    "from": "{low} or more",
    "anyNumber": "any number",
    "group": "group {value}",
    "typical": "typically {low} to {high}",
    "inInterval": "counts as {interval}",
    "isFar": "far from typical; is the unit right?",
    "notANumber": "not a number; taken as unknown",
    "ambiguous": "can be read in two ways; write {first} or {second}",
    "probabilityOf": "Probability of {name}",
    "moreThan": "more than {value}",
    "lessThan": "less than {value}",
    "known": "{known} of {used} features known",
    "knownWeighted": "{known} of {used} features known; averaged over what the others may be.",
    "nothingKnownWeighted": "Nothing is known yet: this is the share of the class.",
    "nothingKnown": "Nothing is known yet: this is where the model starts.",
    "base": "Starting point",
    "others": "{n} other features",
    "othersOne": "1 other feature",
    "total": "All together",
    "given": "given {name}: {value}",
    "toward": "toward {name}",
    "impossible": "impossible for {name}",
    "impossibleBoth": "impossible for both",
    "evidenceCaption": "What each feature does to the odds of {first} against {second}",
    "allClasses": "Probabilities of all classes",
    "tableClass": "Class",
    "automatic": "most probable",
    "automaticOther": "next most probable",
    "rowName": "row {number}",
    "rowWithClass": "row {number}: {name}",
    "unseen": "Values of this row that were never seen in training, and are left unknown: {n}.",
    "copied": "Copied.",
    "notCopied": "Copying was refused. Here is the text:",
    "otherModel": "The link was made for another model, and is not used.",
    "badLink": "The link is damaged; values left out: {n}.",
    "cleared": "All set to unknown.",
    "mother": "Mother",
    "noMother": "none: it comes first",
    "noMotherNaive": "none",
    "daughters": "Daughters",
    "noDaughters": "none",
    "classShare": "New about the class",
    "weightShare": "Weight",
    "nats": "{value} nats",
    "tableTitle": "Probability of {feature} for {name}",
    "tableTitleGiven": "Probability of {feature} given {mother}, for {name}",
    "tableHint": "Percent, and below it the number of training rows.",
    "oddsTitle": "What {feature} does to the odds of {name}",
    "oddsTitleGiven": "What {feature} does to the odds of {name}, given {mother}",
    "oddsHint": "A factor on the odds of {first} against {second}, and below it how many of the training rows there "
    "are {first}.",
    "oddsHintMany": "A factor on the odds of a class against the average of all classes, and below it how many of the "
    "training rows there are of that class.",
    "oddsMean": "Averages of the finer intervals, which are listed below.",
    "oddsAlone": "What {feature} does by itself, in its finer intervals",
    "oddsOf": "odds of {name}",
    "rowsOf": "{n} of {all}",
    "noRows": "no rows",
    "unknownMother": "unknown (all rows)",
    "tableCut": "Only the {n} most frequent values of each are shown.",
    "anyMother": "all together",
    "trueClass": "True class",
    "predicted": "Predicted class",
    "confusionCaption": "Rows by true and predicted class",
    "falseShare": "others called {name} by mistake",
    "trueShare": "{name} found",
    "predictedShare": "predicted probability of {name}",
    "observedShare": "observed share",
    "rocLabel": "ROC curve of {name} with {n} features. Area {auc}.",
    "rocPlain": "ROC curve of {name} with {n} features.",
    "calibrationLabel": "Calibration of {name} with {n} features: predicted against observed shares.",
    "calibrationHint": "Dots on the line: probabilities can be taken at their word. Lines: 95 % intervals. The "
    "larger the dot, the more rows.",
    "curveLabel": "{score} from {first} with 1 feature to {last} with {n} features.",
    "noCurve": "Not known: the rows lack one of the classes.",
    "thisModel": "this model",
    "ownLabel": "This model: {value}.",
    "addsNothing": "The model of this page, tuned for all {n} features.",
    "addsCounted": "Feature {n}: {name}. Counted, not tuned.",
    "featuresAxis": "number of features",
    "addsFeature": "Feature {n}: {name}",
    "reportFooter": "gnbayes {version}, model {fingerprint}, {used} of {all} features. No medical device; takes no "
    "decision.",
    "printedOn": "Printed {date}",
    "valuesKnown": "Known values",
    "nothing": "none",
    "andMore": "and {n} more",
    "information": "Share of what all features tell",
}
