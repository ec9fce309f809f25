// What a refusal of WeChat Pay's onboarding means, and what whoever reads it should do. The first line that fits holds.
// [D] codes and messages of the documentation and of its forum; [K] that no others are common.
import type { OnboardingField, OnboardingTrouble, OnboardingTurn } from '#kit/ports/onboarding.ts'
import { fieldOf, placeOf } from './onboarding-fields.ts'
import { isCode } from './transport.ts'

type Line = {
  codes?: readonly string[]
  says?: RegExp
  turn: OnboardingTurn
  field?: OnboardingField
  words: string
}

const BUSY = ['RATE_LIMITED', 'FREQUENCY_LIMITED', 'FREQUENCY_LIMIT_EXCEED', 'RATELIMIT_EXCEEDED']
const OF_THE_VENDOR = ['NO_AUTH', 'SIGN_ERROR', 'MCH_NOT_EXISTS', 'MCHID_NOT_EXIST', 'APPID_MCHID_NOT_MATCH']

/** In the order in which they are tried: a limit of a day may come under the code of too many calls. */
const TROUBLES: readonly Line[] = [
  {
    says: /修改结算账户次数已达上限/,
    turn: 'later',
    words: '该商户今天修改结算账户已达5次，请明天再修改',
  },
  { codes: BUSY, turn: 'later', words: '微信支付请求过于频繁，系统稍后会自动重试' },
  {
    codes: ['SIGN_ERROR'],
    turn: 'account',
    words: '服务商签名未通过，请核对服务商商户号、证书序列号与商户私钥',
  },
  {
    codes: ['NO_AUTH'],
    turn: 'account',
    words: '服务商没有特约商户进件权限，或权限已被限制，请登录微信支付服务商平台核对',
  },
  {
    codes: OF_THE_VENDOR,
    turn: 'account',
    words: '服务商账号的配置有误，请核对服务商商户号与AppID',
  },
  {
    says: /解密失败|Wechatpay-Serial/i,
    turn: 'account',
    words: '微信支付无法解密资料，请核对微信支付公钥、公钥ID或APIv3密钥',
  },
  {
    codes: ['APPLYMENT_NOT_EXIST', 'RESOURCE_NOT_EXISTS'],
    turn: 'state',
    words: '微信支付没有该申请单，可重新提交',
  },
  { says: /未能找到申请单|申请单不存在/, turn: 'state', words: '微信支付没有该申请单，可重新提交' },
  {
    codes: ['PROCESSING'],
    turn: 'state',
    words: '该申请单正在处理中，不能重复提交，请等待查询结果',
  },
  {
    says: /更换业务申请编号/,
    turn: 'state',
    words: '该申请编号已完成或已作废，修改资料须使用新的申请编号',
  },
  {
    says: /修改申请.*审核|审核.*修改申请/,
    turn: 'state',
    words: '上一次结算账户修改仍在审核中，请等待结果后再修改',
  },
  {
    says: /图片.*(无效|不存在|过期)|MediaID/i,
    turn: 'pictures',
    words: '照片在微信支付已失效，需重新上传后再提交',
  },
  { says: /图片.*(格式|大小)/, turn: 'pictures', words: '照片须为JPG、BMP或PNG格式且不超过2MB，请更换照片' },
  { says: /图片/, turn: 'pictures', words: '照片未通过微信支付的检查，请更换照片' },
  {
    says: /商户简称.*敏感|敏感.*商户简称/,
    turn: 'data',
    field: 'shortName',
    words: '商户简称含有敏感词，请修改',
  },
  {
    says: /敏感词/,
    turn: 'data',
    words: '名称含有敏感词，请按执照核对名称，或修改简称',
  },
  {
    says: /身份证号码与营业执照不匹配/,
    turn: 'data',
    field: 'idNumber',
    words: '身份证号码与营业执照的经营者/法人不一致，请核对执照与证件',
  },
  {
    says: /UBO/,
    turn: 'data',
    field: 'owners',
    words: '最终受益人填写有误：不能重复，也不能再填已是受益人的法人',
  },
  {
    says: /受益人/,
    turn: 'data',
    field: 'owners',
    words: '最终受益人的资料有误或不完整，请核对其证件后再提交',
  },
  {
    says: /商户号.*(数量|上限)|(数量|上限).*商户号/,
    turn: 'data',
    field: 'licenceNumber',
    words: '该主体的微信支付商户号数量已达上限，请先注销不再使用的商户号',
  },
  {
    says: /支行|联行号/,
    turn: 'data',
    field: 'accountBranch',
    words: '开户支行与开户银行或地区不符，请重新选择支行',
  },
  {
    says: /开户银行/,
    turn: 'data',
    field: 'accountBank',
    words: '开户银行不在微信支付的银行列表中，请重新选择银行',
  },
  {
    says: /省市编码|bank_address_code/,
    turn: 'data',
    words: '省市编码有误，请重新选择到市',
  },
  {
    says: /结算规则|settlement_id/,
    turn: 'data',
    field: 'settlementId',
    words: '结算规则与主体类型不符，请重新选择',
  },
  { says: /所属行业/, turn: 'data', field: 'qualificationType', words: '所属行业与结算规则不符，请重新选择' },
  { says: /特殊资质/, turn: 'data', field: 'qualifications', words: '该行业须上传特殊资质，请补充后再提交' },
  { says: /超过\d+字节/, turn: 'data', words: '内容过长，请缩短后再提交' },
  { says: /必填/, turn: 'data', words: '资料不完整，请补充后再提交' },
]

/** Of an answer to any call of the desk that was refused. */
export function troubleOf({ code, message }: { code: string; message: string }): OnboardingTrouble {
  const line = TROUBLES.find(
    ({ codes, says }) => (!codes || isCode(code, ...codes)) && (!says || says.test(message)),
  )
  const turn = line?.turn ?? (isCode(code, 'PARAM_ERROR', 'INVALID_REQUEST') ? 'data' : 'account')
  const path = turn === 'data' || turn === 'pictures' ? pathNamed(message) : undefined
  const named = path === undefined ? null : fieldOf(path)
  return {
    turn,
    field: named ?? line?.field ?? null,
    ...placeOf(path ?? ''),
    words: line?.words ?? `微信支付未接受：${message || code}`,
  }
}

/** The service names a field by its path between quotation marks. */
function pathNamed(message: string): string | undefined {
  return /[“"](\/[\w/]+)[”"]/.exec(message)?.[1]
}
