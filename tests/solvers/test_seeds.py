from solvers.seeds import fit_seed, fold_seed, seed_of


def test_seeds_are_written_down_once_and_for_all():
    # Another number here means that every recorded run can no longer be made again.
    assert fold_seed(0, 0) == 1768120548
    assert fit_seed(0, 1, 2, 0, "lightgbm") == 1034966174
    assert seed_of(0, "study") == 1005083272
    assert seed_of(0, "held out") == 1895283


def test_every_fit_has_a_seed_of_its_own():
    seeds = {
        fit_seed(seed, repeat, fold, target, model)
        for seed in range(2)
        for repeat in range(2)
        for fold in range(2)
        for target in range(2)
        for model in ("lightgbm", "xgboost")
    }
    assert len(seeds) == 32


def test_seeds_fit_a_signed_32_bit_integer():
    assert all(0 <= fold_seed(seed, 0) < 2**31 for seed in (0, 1, 2**63, 10**30))
