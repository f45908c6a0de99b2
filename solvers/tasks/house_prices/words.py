"""The vocabulary of the data description: graded words from worst to best, and plain ones."""

QUALITY = ("Po", "Fa", "TA", "Gd", "Ex")
_FINISH = ("Unf", "LwQ", "Rec", "BLQ", "ALQ", "GLQ")

# From worst to best. What has no word, such as the basement of a house without one, is 0; the
# first word counts 1.
GRADED: dict[str, tuple[str, ...]] = {
    "Street": ("Grvl", "Pave"),
    "Alley": ("Grvl", "Pave"),
    "LotShape": ("IR3", "IR2", "IR1", "Reg"),
    "Utilities": ("ELO", "NoSeWa", "NoSewr", "AllPub"),
    "LandSlope": ("Sev", "Mod", "Gtl"),
    "ExterQual": QUALITY,
    "ExterCond": QUALITY,
    "BsmtQual": QUALITY,
    "BsmtCond": QUALITY,
    "BsmtExposure": ("No", "Mn", "Av", "Gd"),
    "BsmtFinType1": _FINISH,
    "BsmtFinType2": _FINISH,
    "HeatingQC": QUALITY,
    "CentralAir": ("N", "Y"),
    "Electrical": ("Mix", "FuseP", "FuseF", "FuseA", "SBrkr"),
    "KitchenQual": QUALITY,
    "Functional": ("Sal", "Sev", "Maj2", "Maj1", "Mod", "Min2", "Min1", "Typ"),
    "FireplaceQu": QUALITY,
    "GarageFinish": ("Unf", "RFn", "Fin"),
    "GarageQual": QUALITY,
    "GarageCond": QUALITY,
    "PavedDrive": ("N", "P", "Y"),
    "PoolQC": QUALITY,
    "Fence": ("MnWw", "GdWo", "MnPrv", "GdPrv"),
}

_NEAR = ("Artery", "Feedr", "Norm", "RRNn", "RRAn", "PosN", "PosA", "RRNe", "RRAe")
# Exterior2nd spells three of them its own way; so do BldgType and MSZoning some of theirs.
_COVER = (
    "AsbShng", "AsphShn", "BrkComm", "Brk Cmn", "BrkFace", "CBlock", "CemntBd", "CmentBd",
    "HdBoard", "ImStucc", "MetalSd", "Other", "Plywood", "PreCast", "Stone", "Stucco", "VinylSd",
    "Wd Sdng", "WdShing", "Wd Shng",
)  # fmt: skip

PLAIN: dict[str, tuple[str, ...]] = {
    "MSSubClass": (
        "20", "30", "40", "45", "50", "60", "70", "75", "80", "85", "90", "120", "150", "160",
        "180", "190",
    ),
    "MSZoning": ("A", "A (agr)", "C", "C (all)", "FV", "I", "I (all)", "RH", "RL", "RP", "RM"),
    "LandContour": ("Lvl", "Bnk", "HLS", "Low"),
    "LotConfig": ("Inside", "Corner", "CulDSac", "FR2", "FR3"),
    "Neighborhood": (
        "Blmngtn", "Blueste", "BrDale", "BrkSide", "ClearCr", "CollgCr", "Crawfor", "Edwards",
        "Gilbert", "IDOTRR", "MeadowV", "Mitchel", "NAmes", "Names", "NoRidge", "NPkVill",
        "NridgHt", "NWAmes", "OldTown", "SWISU", "Sawyer", "SawyerW", "Somerst", "StoneBr",
        "Timber", "Veenker",
    ),
    "Condition1": _NEAR,
    "Condition2": _NEAR,
    "BldgType": ("1Fam", "2FmCon", "2fmCon", "Duplx", "Duplex", "TwnhsE", "TwnhsI", "Twnhs"),
    "HouseStyle": (
        "1Story", "1.5Fin", "1.5Unf", "2Story", "2.5Fin", "2.5Unf", "SFoyer", "SLvl",
    ),
    "RoofStyle": ("Flat", "Gable", "Gambrel", "Hip", "Mansard", "Shed"),
    "RoofMatl": (
        "ClyTile", "CompShg", "Membran", "Metal", "Roll", "Tar&Grv", "WdShake", "WdShngl",
    ),
    "Exterior1st": _COVER,
    "Exterior2nd": _COVER,
    "MasVnrType": ("BrkCmn", "BrkFace", "CBlock", "None", "Stone"),
    "Foundation": ("BrkTil", "CBlock", "PConc", "Slab", "Stone", "Wood"),
    "Heating": ("Floor", "GasA", "GasW", "Grav", "OthW", "Wall"),
    "GarageType": ("2Types", "Attchd", "Basment", "BuiltIn", "CarPort", "Detchd"),
    "MiscFeature": ("Elev", "Gar2", "Othr", "Shed", "TenC"),
    "SaleType": ("WD", "CWD", "VWD", "New", "COD", "Con", "ConLw", "ConLI", "ConLD", "Oth"),
    "SaleCondition": ("Normal", "Abnorml", "AdjLand", "Alloca", "Family", "Partial"),
}  # fmt: skip

WORDS = GRADED | PLAIN
