// What TianQue says against an application, by what it is about. It says so in a sentence, in its own names of fields or in Chinese. [K]
// Its wording was not verified: what no pattern knows is told as it is, without a field. Pure.
import type {
  AcquirerReasons,
  AcquirerRefusedField,
  AcquirerTrouble,
} from '#kit/ports/acquirer-onboarding.ts'

/** The first that fits; pictures before what is read of them. */
const ABOUT: readonly (readonly [RegExp, AcquirerRefusedField])[] = [
  [/licensePic|营业执照.*(照片|图片|清晰|模糊|遮挡|不清)/, 'businessLicence'],
  [/legalPersonidOppositePic|身份证.*(反面|国徽)/, 'idCardBack'],
  [/legalPersonidPositivePic|身份证.*(正面|人像|照片|图片|清晰|模糊)/, 'idCardFront'],
  [/openingAccountLicensePic|开户许可证/, 'accountPermit'],
  [/bankCardPositivePic|银行卡.*(照片|图片|正面|清晰|模糊)/, 'bankCard'],
  [/storePic|门头/, 'shopFront'],
  [/insideScenePic|内景|店内/, 'shopInside'],
  [/registCode|注册号|信用代码/, 'creditCode'],
  [/cprRegNmCn|注册名称|营业执照/, 'company'],
  [/mecDisNm|简称|签购单/, 'shortName'],
  [/mccCd|MCC|类目/, 'category'],
  [/identityNo|stmManIdNo|证件号|身份证/, 'idNumber'],
  [/identityName|法人|负责人/, 'legalPerson'],
  [/actNm|账户名|户名/, 'accountName'],
  [/actTyp|账户类型/, 'payType'],
  [/actNo|卡号|账号/, 'accountNumber'],
  [/lbnkNo|联行/, 'branchNumber'],
  [/lbnkNm|支行/, 'branchName'],
  [/depoBank|开户银行/, 'bankName'],
  [/qrcodeList|\brate|费率/, 'rate'],
  [/mblNo|csTelNo|手机|电话/, 'contactPhone'],
  [/email|邮箱/, 'email'],
  [/cprRegAddr|详细地址|经营地址/, 'address'],
  [/reg(Prov|City|Dist)Cd|省|市|区编码/, 'regionName'],
]

/** Part by part; several of one field together. An empty text is told, too. */
export function reasonsOf(text: string): AcquirerReasons {
  const parts = text.split(/[；;。\n]+/).map(part => part.trim())
  const reasons: AcquirerReasons = {}
  for (const part of parts.filter(part => part !== '')) {
    const field = ABOUT.find(([pattern]) => pattern.test(part))?.[1] ?? 'other'
    reasons[field] = reasons[field] ? `${reasons[field]}；${part}` : part
  }
  return Object.keys(reasons).length > 0 ? reasons : { other: '渠道驳回，没有说明原因' }
}

const ACCOUNT = /验签|签名|机构|signType|version|timestamp|reqId|权限|白名单/
const LATER = /系统(异常|繁忙|错误)|稍后|频繁|超时/

export function troubleOf({ code, message }: { code: string; message: string }): AcquirerTrouble {
  const said = `天阙：${message || '未说明原因'}（${code || '无代码'}）`
  if (ACCOUNT.test(message)) return { turn: 'account', words: `接口账号或密钥不正确。${said}`, reasons: {} }
  if (LATER.test(message)) return { turn: 'later', words: said, reasons: {} }
  return { turn: 'data', words: said, reasons: reasonsOf(message) }
}
