// Reasons that a fresh database offers for a refusal, with what the shop is advised to do; the documents leave them to whoever types.
const TEXTS: readonly (readonly [name: string, advice: string])[] = [
  ['营业执照照片不清晰', '请重新拍摄执照原件，四角完整、文字清楚'],
  ['身份证照片不清晰', '请重新拍摄身份证原件，避免反光和遮挡'],
  ['填写内容与证件不一致', '请对照证件逐项核对后重新提交'],
  ['证件已过有效期', '请上传有效期内的证件'],
  ['上传的不是原件', '请上传证件原件照片，复印件和翻拍不能使用'],
  ['责任人与公司关系无法确认', '请使用法定代表人的证件，或联系客服提交授权书'],
]

export const VERIFICATION_REASONS = TEXTS.map(([name, advice], position) => ({
  id: position + 1,
  name,
  advice,
  position,
}))
