// What the platform's numbers mean, whose turn it is then and what to do. [D] numbers and meanings of its pages and of public programs that
// speak to it; [K] what is advised, 40007, 40013, 40014, 40125, 45011 and 47001, and that no others are common. The same number may mean another thing in the event of a registration.
import type { ProgramTrouble, TroubleTurn } from '#kit/ports/mini-programs.ts'

type Line = readonly [turn: TroubleTurn, words: string, advice: string]
type Lines = Readonly<Record<string, Line>>

const AGAIN = '请稍后重试'
const ASK_VENDOR = '请联系平台管理员处理'
const AUTHORIZE = '请客户的小程序管理员重新扫码授权，并勾选全部权限'
const RENAME = '请更换名称后重新提交'
const WAIT_REVIEW = '请等待审核结果'
const CHECK_COMPANY = '请核对营业执照上的信息后重新提交'
const NEXT_MONTH = '本月次数已用完，请下月再修改'
const OTHER_PERSON = '请更换管理员后重新提交'

const GENERAL: Lines = {
  '-1': ['later', '微信系统繁忙', AGAIN],
  '40001': [
    'platform',
    '接口凭证失效',
    '系统会自动更新凭证，若一直出现，请联系平台管理员核对第三方平台的密钥',
  ],
  '40014': ['platform', '接口凭证不正确', '系统会自动更新凭证，若一直出现，请联系平台管理员'],
  '42001': ['platform', '接口凭证已过期', '系统会自动更新凭证，若一直出现，请联系平台管理员'],
  '40013': ['platform', '第三方平台AppID不正确', ASK_VENDOR],
  '40125': ['platform', '第三方平台密钥不正确', ASK_VENDOR],
  '40164': ['platform', '服务器IP不在第三方平台的白名单内', '请平台管理员在微信开放平台把服务器IP加入白名单'],
  '45009': ['later', '接口调用次数已达今日上限', '请明天再试，或请平台管理员提升接口额度'],
  '45011': ['later', '接口调用过于频繁', AGAIN],
  '48001': ['authorization', '小程序没有授权该接口', AUTHORIZE],
  '41033': ['state', '只有通过平台创建的小程序才能使用该接口', '请客户登录微信公众平台自行操作'],
  '40097': ['data', '提交的参数不正确', '请检查填写的内容后重新提交'],
  '46001': ['data', '图片素材不存在或已过期', '请重新上传图片后提交'],
  '40007': ['data', '图片素材无效或已过期', '请重新上传图片后提交'],
  '47001': ['platform', '提交的数据格式不正确', ASK_VENDOR],
}

const AUTHORIZATION: Lines = {
  '61003': ['authorization', '小程序尚未授权给平台', '请客户的小程序管理员扫码授权'],
  '61004': ['platform', '接口未授权，或服务器IP未登记', '请平台管理员在微信开放平台登记服务器IP'],
  '61005': [
    'platform',
    '平台推送的票据已过期',
    '系统正在等待微信推送新的票据，请十分钟后重试；若一直出现，请联系平台管理员',
  ],
  '61006': [
    'platform',
    '平台推送的票据无效或尚未收到',
    '系统正在等待微信推送票据，请十分钟后重试；若一直出现，请联系平台管理员',
  ],
  '61007': ['authorization', '客户授权时没有勾选该功能的权限', AUTHORIZE],
  '61009': ['authorization', '授权码无效或已使用', '请重新发起授权'],
  '61010': ['authorization', '授权码已过期', '请重新发起授权'],
  '61023': ['authorization', '授权已失效', AUTHORIZE],
}

const REGISTRATION: Lines = {
  '61070': ['data', '法人姓名与微信号不一致', '请填写法人本人已实名的微信号'],
  '86004': ['data', '微信号无效', '请核对法人微信号，不能填手机号或QQ号'],
  '89247': ['later', '微信内部错误', AGAIN],
  '89248': ['data', '企业代码类型无效', '请核对统一社会信用代码的位数'],
  '89249': ['state', '该主体已有注册任务在执行', '请在24小时后再试'],
  '89250': ['state', '没有找到该注册任务', '请重新提交注册'],
  '89251': ['state', '微信已向法人发送消息，等待法人人脸核身', '请法人在24小时内打开微信消息，完成人脸核身'],
  '89252': ['state', '微信正在校验法人与企业信息', '请稍后查看结果'],
  '89253': ['data', '缺少必填的资料', '请补充资料后重新提交'],
  '89254': ['platform', '第三方平台的权限集不全', ASK_VENDOR],
  '89255': ['data', '企业代码无效', '请核对统一社会信用代码'],
}

const REGISTERED: Lines = {
  '100001': ['state', '法人24小时内未确认，未完成身份证验证', '请重新提交注册，并请法人在24小时内确认'],
  '100002': ['state', '法人24小时内未确认，未完成人脸识别', '请重新提交注册，并请法人在24小时内完成人脸识别'],
  '100003': ['state', '法人24小时内未确认注册', '请重新提交注册，并请法人在24小时内确认'],
  '101': ['data', '工商数据显示企业已注销', '请更换仍在经营的主体'],
  '102': [
    'data',
    '工商数据中没有该企业，或信息尚未更新',
    '请核对企业名称与代码；新办企业请在5至15个工作日后再试',
  ],
  '103': ['data', '企业法人姓名不一致', '请按营业执照填写法人姓名'],
  '104': ['data', '企业法人身份证号码不一致', '请法人用本人身份证对应的微信完成验证'],
  '105': ['later', '法人变更后工商数据尚未更新', '请在5至15个工作日后再试'],
  '1000': ['data', '企业信息与法人信息不一致', CHECK_COMPANY],
  '1001': ['data', '该主体的小程序数量已达上限', '请注销不再使用的小程序，或更换主体'],
  '1002': ['data', '该主体在微信的黑名单中', '请更换主体'],
  '1003': ['data', '管理员绑定的小程序数量已达上限', OTHER_PERSON],
  '1004': ['data', '管理员在微信的黑名单中', OTHER_PERSON],
  '1005': ['data', '管理员手机号绑定的小程序数量已达上限', OTHER_PERSON],
  '1006': ['data', '管理员手机号在微信的黑名单中', OTHER_PERSON],
  '1007': ['data', '管理员身份证绑定的小程序数量已达上限', OTHER_PERSON],
  '1008': ['data', '管理员身份证在微信的黑名单中', OTHER_PERSON],
  '-1': ['data', '企业与法人姓名不一致', CHECK_COMPANY],
}

const NAME: Lines = {
  '53010': ['data', '名称格式不合法', '名称须为4至30个字符，不含特殊符号，请修改'],
  '53011': ['later', '名称检测过于频繁', AGAIN],
  '53012': ['data', '名称含有禁止使用的内容', RENAME],
  '53013': ['data', '名称与已有公众号重复', RENAME],
  '53014': ['data', '名称与已有小程序重复', RENAME],
  '53015': ['data', '名称与公众号重复，须为同一主体才能使用', '请使用同一主体，或更换名称'],
  '53016': ['data', '名称与小程序重复，须为同一主体才能使用', '请使用同一主体，或更换名称'],
  '53017': ['data', '名称与同主体的其他帐号冲突', RENAME],
  '53018': ['data', '名称命中微信号', RENAME],
  '53019': ['data', '名称在保护期内', RENAME],
  '91001': ['state', '不是通过平台快速创建的小程序，不能由平台设置名称', '请客户登录微信公众平台设置名称'],
  '91002': ['state', '小程序发布后不能由平台改名', '请客户登录微信公众平台改名'],
  '91003': ['state', '小程序当前的状态不能改名', WAIT_REVIEW],
  '91004': ['data', '名称不合法', RENAME],
  '91007': ['data', '名称已被占用', RENAME],
  '91009': ['data', '该名称需要提交证明材料', '请上传营业执照、商标或授权书等材料后重新提交'],
  '91011': ['state', '没有找到名称的审核单', '请重新提交名称'],
  '91019': ['state', '名称正在审核中', WAIT_REVIEW],
}

const APPEARANCE: Lines = {
  '53200': ['quota', '本月简介修改次数已用完', NEXT_MONTH],
  '53201': ['data', '简介含有禁止使用的词', '请修改简介后重新提交'],
  '53202': ['quota', '本月头像修改次数已用完', NEXT_MONTH],
  '53203': ['later', '头像或简介暂时不能修改', '请过一段时间再修改'],
  '85049': ['quota', '头像或简介的修改额度已用完', NEXT_MONTH],
}

const CATEGORY: Lines = {
  '53300': ['quota', '本月类目修改次数已用完', NEXT_MONTH],
  '53301': ['quota', '类目数量已达上限', '请先删除不再使用的类目'],
  '53302': ['data', '该主体类型不能使用此类目', '请选择其他类目'],
  '53304': ['data', '该类目已添加', '请选择其他类目'],
  '53306': ['data', '该类目只能修改资质', '请重新上传资质，不要修改类目'],
  '53307': ['state', '只能修改审核失败的类目', '审核中或已通过的类目不能修改'],
  '53308': ['state', '审核中的类目不能删除', WAIT_REVIEW],
  '53311': ['data', '该类目需要补充资质', '请上传该类目要求的资质图片后重新提交'],
  '85077': ['data', '类目已失效', '请重新选择类目'],
}

const CODE: Lines = {
  '85013': ['platform', '自定义配置无效', ASK_VENDOR],
  '85014': ['platform', '模板编号无效', '请选择其他模板'],
  '85043': ['platform', '模板错误', '请选择其他模板，或联系平台管理员'],
  '85044': ['platform', '代码包超过大小限制', ASK_VENDOR],
  '85045': ['platform', '自定义配置中的路径不存在', ASK_VENDOR],
  '85046': ['platform', '自定义配置的底部菜单缺少路径', ASK_VENDOR],
  '85047': ['platform', '自定义配置的页面为空', ASK_VENDOR],
  '85048': ['platform', '自定义配置解析失败', ASK_VENDOR],
  '85064': ['platform', '找不到模板', '请选择其他模板'],
  '9402202': ['later', '提交过于频繁', AGAIN],
}

const TESTERS: Lines = {
  '85001': [
    'data',
    '微信号不存在，或设置了不能被搜索',
    '请核对微信号，并请对方在微信隐私设置中允许通过微信号搜索',
  ],
  '85002': ['quota', '小程序的体验者数量已达上限', '请先删除不再需要的体验者'],
  '85003': ['quota', '该微信号体验的小程序数量已达上限', '请更换微信号，或请对方退出其他小程序的体验'],
  '85004': ['state', '该微信号已是体验者', '无需重复添加'],
}

const AUDIT: Lines = {
  '61039': ['later', '代码的隐私检测尚未完成', '请等待几分钟后再提交审核'],
  '61040': [
    'data',
    '代码使用了没有权限或没有声明的隐私接口',
    '请先补充用户隐私保护指引，或联系平台管理员申请接口权限',
  ],
  '85006': ['data', '标签格式错误', '标签以空格分隔，最多10个，每个不超过20个字符，请修改'],
  '85007': ['platform', '页面路径错误', ASK_VENDOR],
  '85008': ['state', '小程序没有已审核通过的类目', '请先添加类目并等待审核通过'],
  '85009': ['state', '已有正在审核的版本', '请等待审核结果，或先撤回'],
  '85010': ['data', '审核项目有空项', '请补充审核项目后重新提交'],
  '85011': ['data', '审核页面的标题错误', '标题不能超过32个字符，请修改'],
  '85012': ['state', '审核编号无效', '请重新查看审核结果'],
  '85023': ['data', '审核项目须为1至5个', '请调整审核项目的数量'],
  '85085': ['quota', '本月提交审核的次数已用完', '请平台管理员购买或申请提审额度，或下月再提交'],
  '85086': ['state', '还没有上传代码', '请先设置小程序代码'],
  '85087': ['platform', '代码使用了跳转其他小程序，但没有声明', ASK_VENDOR],
  '85092': ['data', '预览信息格式错误', '请修改预览图片或视频后重新提交'],
  '85093': ['data', '预览图片或视频的数量超过限制', '请减少预览图片或视频'],
  '86000': ['platform', '不是由第三方平台代为调用', ASK_VENDOR],
  '86001': ['state', '没有第三方平台提交的代码', '请先设置小程序代码'],
  '86002': ['state', '小程序还没有设置昵称、头像与简介', '请先完成昵称、头像与简介的设置'],
  '86007': ['platform', '小程序被禁止提交审核', '请客户登录微信公众平台查看站内信'],
  '86008': ['platform', '服务商被微信处罚，暂时不能提审', ASK_VENDOR],
  '86009': ['platform', '服务商新增小程序提审的能力受限', ASK_VENDOR],
  '86010': ['platform', '服务商迭代小程序提审的能力受限', ASK_VENDOR],
  '87013': ['quota', '撤回次数已达上限（每天5次，每月10次）', '请等待审核结果，或改日再撤回'],
  '89401': ['later', '微信系统不稳定', AGAIN],
  '89402': ['state', '该审核单不在待审核队列', '请重新查看审核结果'],
  '89403': ['state', '该审核单不支持加急', WAIT_REVIEW],
  '89404': ['state', '该审核单已加急', WAIT_REVIEW],
  '89405': ['quota', '加急次数已用完', WAIT_REVIEW],
}

const RELEASE: Lines = {
  '85019': ['state', '没有审核通过的版本', '请先提交审核'],
  '85020': ['state', '审核状态未满足发布', '请等待审核通过后再发布'],
  '85052': ['state', '该版本已经发布', '无需重复发布'],
  '87011': ['state', '现网已经在灰度发布，不能回退', '请先完成发布'],
  '87012': ['state', '该版本不能回退', '没有可回退的版本，或已回退过，请重新提交审核并发布'],
  '86071': ['data', '隐私保护指引的参数不正确', '请检查用户隐私保护指引'],
  '87072': ['data', '隐私保护指引中声明了代码没有使用的信息', '请删除多余的声明后重新提交'],
}

export const CALL_TROUBLES: Lines = {
  ...GENERAL,
  ...AUTHORIZATION,
  ...REGISTRATION,
  ...NAME,
  ...APPEARANCE,
  ...CATEGORY,
  ...CODE,
  ...TESTERS,
  ...AUDIT,
  ...RELEASE,
}
/** Of the event that ends a registration. */
export const REGISTRATION_TROUBLES: Lines = { ...REGISTRATION, ...REGISTERED }

/** Of a number that nobody knows: its own words, and to ask the vendor's administrator. */
export function troubleOf(
  { code, message }: { code: string; message: string },
  of: 'call' | 'registration' = 'call',
): ProgramTrouble {
  const lines = of === 'call' ? CALL_TROUBLES : REGISTRATION_TROUBLES
  const [turn, words, advice] = (Object.hasOwn(lines, code) ? lines[code] : undefined) ?? [
    'platform' as const,
    `微信返回：${message || '未说明原因'}（${code || '无代码'}）`,
    ASK_VENDOR,
  ]
  return { turn, words, advice }
}
