// Which version a shop's version may be adjusted to (D2 §7 versionToAdjust).
export const VERSION_ADJUSTMENTS = [{ fromVersionId: 4, toVersionId: 3 }]
