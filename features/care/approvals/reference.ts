// Reasons that a fresh database offers for a rejection, with what the shop is advised to do; the documents leave them to whoever types.
import type { ApprovalKind } from './rules.ts'

const TEXTS: Record<ApprovalKind, readonly (readonly [name: string, advice: string])[]> = {
  signature: [
    ['签名与营业执照或商标不一致', '请使用执照名称、简称或注册商标，并上传相应图片'],
    ['签名过于宽泛，无法识别商户', '请在签名中写明店铺名称'],
    ['签名含他人品牌', '请提供品牌授权书后重新提交'],
    ['缺少证明图片', '请上传营业执照或门头照片后重新提交'],
  ],
  shopName: [
    ['名称与营业执照不符', '请使用执照上的名称或附上证明'],
    ['名称含他人品牌', '请提供品牌授权书后重新提交'],
    ['名称不规范', '请去掉广告语和联系方式后重新提交'],
  ],
  memberTitle: [
    ['称谓不文明', '请改用常见的称谓，例如会员、贵宾'],
    ['称谓容易引起误解', '请避免使用职务、机构名称'],
  ],
}

export const APPROVAL_REASONS = Object.entries(TEXTS)
  .flatMap(([kind, texts]) =>
    texts.map(([name, advice], position) => ({ kind: kind as ApprovalKind, name, advice, position })),
  )
  .map((row, index) => ({ id: index + 1, ...row }))
