"""Log-loss of one classifier of ours beside that of the strongest rivals, table by table: text only."""

import math

from results import DONE, Row

# Ours as it was when it was last stored, then rivals.
BESIDE = ("gnbayes", "CatBoost", "LightGBM", "EBM")
# Ratios of losses below this, on tables that are all but solved, would drown all others.
SMALLEST_LOSS = 0.002

Losses = dict[tuple[str, int], float]


def comparison(ours: list[Row], stored: list[Row]) -> str:
    """One line for each table, then means.

    A rival's number is the mean over the splits that both have done, the ratio is ours to it on the same splits.
    """
    mine = _losses(ours)
    others = {name: _losses([row for row in stored if row["classifier"] == name]) for name in BESIDE}
    tables = list(dict.fromkeys(table for table, _ in mine))
    heads = f"{'table':16} {'splits':>6} {'ours':>7}" + "".join(f" {name:>9} {'ratio':>6}" for name in BESIDE)
    seconds = sum(row["fit_seconds"] for row in ours if row["status"] == DONE)
    lines = [heads, *(_line(table, mine, others) for table in tables), *_means(tables, mine, others)]
    failed = [f"{row['table']} {row['split']}: {row['status']}" for row in ours if row["status"] != DONE]
    return "\n".join([*lines, f"processor seconds of all fits: {seconds:.1f}", *failed])


def _line(table: str, mine: Losses, others: dict[str, Losses]) -> str:
    splits = [split for name, split in mine if name == table]
    text = f"{table:16} {len(splits):6} {_mean([mine[table, split] for split in splits]):7.4f}"
    for losses in others.values():
        pair = _pair(table, mine, losses)
        text += f" {pair[1]:9.4f} {_ratio(*pair):6.3f}" if pair else f" {'-':>9} {'-':>6}"
    return text


def _means(tables: list[str], mine: Losses, others: dict[str, Losses]) -> list[str]:
    lines = []
    for name, losses in others.items():
        pairs = [pair for table in tables if (pair := _pair(table, mine, losses))]
        if pairs:
            ratio = math.exp(_mean([math.log(_ratio(*pair)) for pair in pairs]))
            better = sum(a < b for a, b in pairs)
            means = f"mean log-loss {_mean([a for a, _ in pairs]):.4f} to {_mean([b for _, b in pairs]):.4f}"
            lines.append(f"{name}: mean ratio {ratio:.3f}, {means}, better on {better} of {len(pairs)} tables")
    return lines


def _pair(table: str, mine: Losses, losses: Losses) -> tuple[float, float] | None:
    """Mean of ours and of a rival over the splits that both have done."""
    common = [key for key in mine if key[0] == table and key in losses]
    return (_mean([mine[key] for key in common]), _mean([losses[key] for key in common])) if common else None


def _ratio(ours: float, other: float) -> float:
    return max(ours, SMALLEST_LOSS) / max(other, SMALLEST_LOSS)


def _losses(rows: list[Row]) -> Losses:
    return {(row["table"], row["split"]): row["log_loss"] for row in rows if row["status"] == DONE}


def _mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers)
