"""Write golden_dcurves.csv, net benefit by dcurves 1.1.7: pip install dcurves, then python make_dcurves.py.

dcurves needs an older pandas than the tests, so its numbers are kept.
"""

from pathlib import Path


def main():
    import pandas as pd
    from dcurves import dca

    here = Path(__file__).parent
    table = pd.read_csv(here / "risks.csv")
    found = dca(data=table, outcome="event", modelnames=["risk"], thresholds=[at / 100 for at in range(1, 100)])
    kept = found[["model", "threshold", "test_pos_rate", "tp_rate", "fp_rate", "net_benefit"]]
    kept.to_csv(here / "golden_dcurves.csv", index=False, float_format="%.10g")


if __name__ == "__main__":
    main()
