"""Which tables may be used to develop gnbayes, and which are kept for confirmation. Standard library only.

Development tables are those named in the plan of the additive model, and the half on which smoothing and bins were
chosen (`ingredients.py`). Tables of the same patients have the same role. All others are for confirmation: results of
gnbayes on them are looked at once per release, when it is ready.
"""

SUITE = (
    *("iris", "zoo", "glass", "wine", "ecoli", "balance_scale", "breast_cancer", "lymph", "hepatitis", "heart_statlog"),
    *("heart_hungarian", "heart", "parkinsons", "autos", "primary_tumor", "pima", "breast_w", "vote", "colic"),
    *("diabetes", "tic_tac_toe", "credit_a", "car", "vowel", "ionosphere", "dermatology", "sonar", "cmc", "vehicle"),
    *("audiology", "wdbc", "german_credit", "soybean", "anneal", "segment", "page_blocks", "thyroid_anntest"),
    *("thyroid_3class", "thyroid", "nursery", "hypothyroid", "sick", "kr_vs_kp", "pendigits", "mushroom", "magic"),
    *("splice", "waveform", "poker_train", "spambase", "letter", "optdigits", "adult"),
)
"""The 53 tables of docs/accuracy.md, from the fewest cells to the most within up to 2,000 rows and above."""

WIDE_AND_LARGE = ("colon", "srbct_khan", "leukemia_golub", "prostate_singh", "lung_gordon", "kddcup99")

_NAMED = {
    *("vehicle", "sonar", "german_credit", "magic", "spambase", "segment", "kr_vs_kp", "glass", "car", "tic_tac_toe"),
    *("nursery", "poker_train", "vowel", "credit_a", "wdbc", "pima", "heart_statlog"),
}
_FIRST_HALF = {
    *("iris", "glass", "ecoli", "breast_cancer", "hepatitis", "heart_statlog", "heart_hungarian", "heart"),
    *("parkinsons", "primary_tumor", "breast_w", "colic", "tic_tac_toe", "car", "ionosphere", "sonar", "vehicle"),
    *("wdbc", "soybean", "segment", "thyroid_anntest", "thyroid_3class", "thyroid", "hypothyroid", "sick", "kr_vs_kp"),
    *("mushroom", "splice", "spambase", "optdigits"),
}
DEVELOPMENT = tuple(name for name in SUITE if name in _NAMED | _FIRST_HALF)
CONFIRMATION = tuple(name for name in SUITE if name not in DEVELOPMENT)
ROLES = {"DEVELOPMENT": DEVELOPMENT, "CONFIRMATION": CONFIRMATION, "SUITE": SUITE, "WIDE_AND_LARGE": WIDE_AND_LARGE}


def named(words: list[str]) -> list[str]:
    """Names of tables, of which a word in capitals stands for all of a role; in the order of the suite."""
    chosen = {name for word in words for name in ROLES.get(word, (word,))}
    unknown = sorted(chosen - {*SUITE, *WIDE_AND_LARGE})
    if unknown:
        raise ValueError(f"unknown tables: {', '.join(unknown)}; there are {', '.join((*ROLES, *SUITE))}")
    return [name for name in (*SUITE, *WIDE_AND_LARGE) if name in chosen]
