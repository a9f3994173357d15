"""Write risks.csv: 600 risks that are too extreme and a little too high, some of them equal, and outcomes."""

from pathlib import Path

import numpy as np


def main():
    rng = np.random.default_rng(2024)
    truth = rng.normal(-0.6, 1.3, 600)
    is_event = rng.random(600) < 1 / (1 + np.exp(-truth))
    risk = 1 / (1 + np.exp(-(0.2 + 1.4 * truth + 0.3 * np.sin(2 * truth))))
    risk[::3] = np.round(risk[::3], 2).clip(0.01, 0.99)
    lines = [f"{share:.6f},{int(event)}" for share, event in zip(risk, is_event, strict=True)]
    Path(__file__).with_name("risks.csv").write_text("\n".join(["risk,event", *lines]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
