"""gnbayes inspect: the contents of a model file."""

from __future__ import annotations

import argparse
from typing import Any

from gnbayes.cli.models import load_model
from gnbayes.cli.output import print_json
from gnbayes.estimator import GeneralizedNB


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("model", help="model file")


def run(arguments: argparse.Namespace) -> None:
    """Print settings, classes and features."""
    model = load_model(arguments.model)
    if arguments.json:
        print_json(described(model))
    else:
        print(describe(model))


def described(model: GeneralizedNB) -> dict[str, Any]:
    """The contents of a model, with its features in order."""
    names = [feature.name for feature in model.features_]
    return {
        "structure": model.structure,
        "weighting": model.weighting,
        "smoothing": model.smoothing,
        "alpha": model.alpha_,
        "weight": model.weight_,
        "rows": model.counts_.n,
        "classes": {str(label): n for label, n in zip(model.classes_, model.counts_.classes.tolist(), strict=True)},
        "n_features": len(names),
        "features": [
            {
                "feature": names[j],
                "importance": float(model.feature_importances_[j]),
                "class_gain": float(model.class_gain_[j]),
                "given": names[mother] if (mother := int(model.tree_.mother[j])) >= 0 else None,
                "values": list(model.features_[j].labels),
            }
            for j in model.feature_order_.tolist()
        ],
    }


def describe(model: GeneralizedNB) -> str:
    """A model as readable lines."""
    told = described(model)
    tables = f"smoothing {told['smoothing']} (alpha {told['alpha']:g})"
    lines = [
        f"structure {told['structure']}, {f'weighting {model.weighting}' if model.weighting else tables}",
        f"weight    {told['weight']:.3f} nats",
        "classes   " + ", ".join(f"{label} ({n:g} rows)" for label, n in told["classes"].items()),
        f"features  {len(told['features'])} of {told['n_features']} are used, in this order:",
    ]
    for feature in told["features"]:
        given = f", given {feature['given']}" if feature["given"] is not None else ""
        share, gain = f"importance {feature['importance']:.1%}", f"{feature['class_gain']:.3f} nats about the class"
        lines.append(f"  {feature['feature']}: {share}, {gain}{given}")
        lines.append("      " + " | ".join(feature["values"]))
    return "\n".join(lines)
