"""gnbayes inspect: what a model file holds."""

from __future__ import annotations

import argparse

from gnbayes.cli.options import load_model
from gnbayes.estimator import GeneralizedNB

HELP = "show what a model file holds"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("model", help="model file")


def run(arguments: argparse.Namespace) -> None:
    """Print settings, classes and features."""
    print(describe(load_model(arguments.model)))


def describe(model: GeneralizedNB) -> str:
    """A model in lines that a person can read."""
    names = [feature.name for feature in model.features_]
    classes = [f"{label} ({count:g} rows)" for label, count in zip(model.classes_, model.counts_.classes, strict=True)]
    tables = f"smoothing {model.smoothing} (alpha {model.alpha_:g})"
    lines = [
        f"structure {model.structure}, {f'weighting {model.weighting}' if model.weighting else tables}",
        f"weight    {model.weight_:.3f} nats",
        f"classes   {', '.join(classes)}",
        f"features  {model.n_features_} of {len(names)} are used, in this order:",
    ]
    for j in model.feature_order_:
        mother = int(model.tree_.mother[j])
        given = f", given {names[mother]}" if mother >= 0 else ""
        share, told = model.feature_importances_[j], model.class_gain_[j]
        lines.append(f"  {names[j]}: {share:.1%} of the weight, {told:.3f} nats of the class{given}")
        lines.append("      " + " | ".join(model.features_[j].labels))
    return "\n".join(lines)
