// Tencent Cloud OCR on loopback, for tests and the demo. Differs from the real service: it sees what simulated-ocr.ts says; it
// says the size of nothing; warnings come for what Config asks; which code stands for a wrong side is our reading.
import { randomBytes } from 'node:crypto'
import {
  dotted,
  inWords,
  isPicture,
  makeReader,
  type PaperKind,
  type PaperProblem,
  type SeenPaper,
  termOf,
} from '../simulated-ocr.ts'
import { type RunningSimulator, type SimAnswer, startSimulator } from '../simulator.ts'
import { refuseTc3, tencentAnswer, tencentError } from '../tc3-verifier.ts'

export type TencentOcrKeys = { secretId: string; secretKey: string }
type Asked = Record<string, unknown>

const MEGABYTE = 1024 * 1024
/** Of the picture in Base64. */
const MOST: Record<string, number> = {
  BizLicenseOCR: 7 * MEGABYTE,
  IDCardOCR: 10 * MEGABYTE,
  BankCardOCR: 7 * MEGABYTE,
}
const KINDS: Record<string, PaperKind> = { FRONT: 'front', BACK: 'back' }
const REFUSALS: Partial<Record<PaperProblem, [code: string, message: string]>> = {
  arrears: ['FailedOperation.ArrearsError', '帐号已欠费。'],
  blurred: ['FailedOperation.ImageBlur', '图片模糊。'],
}
/** What Config must ask for, and the warning. */
const CARD_WARNINGS: Partial<Record<PaperProblem, [asked: string, code: number]>> = {
  copy: ['CopyWarn', -9102],
  reshot: ['ReshootWarn', -9103],
  incomplete: ['BorderCheckWarn', -9101],
  altered: ['DetectPsWarn', -9106],
  expired: ['InvalidDateWarn', -9109],
}
const LICENCE_WARNINGS: Partial<Record<PaperProblem, [code: number, words: string]>> = {
  copy: [-9102, 'WARN_COPY_CARD'],
  reshot: [-9104, 'WARN_RESHOOT_CARD'],
}

export function makeTencentOcrKeys(): TencentOcrKeys {
  return { secretId: `AKID${randomBytes(16).toString('hex')}`, secretKey: randomBytes(16).toString('hex') }
}

export function tencentOcrSettings(keys: TencentOcrKeys, url: string) {
  return { baseUrl: url, region: 'ap-guangzhou', ...keys }
}

export async function startTencentOcrSimulator(
  { keys }: { keys: TencentOcrKeys },
  port = 0,
): Promise<RunningSimulator> {
  const reader = makeReader()
  return startSimulator(
    {
      nameOf: ({ path, headers }) => (path === '/' ? String(headers['x-tc-action'] ?? 'none') : null),
      errorOf: tencentError,
      control: reader.control,
      handle(name, request, control) {
        const refused = refuseTc3(request, keys, 'ocr', control)
        if (refused) return refused
        const most = MOST[name]
        if (!most) return tencentError('InvalidAction', 'The action does not exist.')
        if (control.take('quota-exhausted', name))
          return tencentError(...(REFUSALS.arrears as [string, string]))
        const asked = JSON.parse(request.body.toString()) as Asked
        const picture = pictureOf(asked, most)
        if (!Buffer.isBuffer(picture)) return picture
        if (name === 'BankCardOCR') return readBankCard(asked, reader.see(picture, 'bankCard'))
        return name === 'IDCardOCR'
          ? readCard(asked, kind => reader.see(picture, kind))
          : readLicence(asked, reader.see(picture, 'licence'))
      },
    },
    port,
  )
}

function pictureOf({ ImageBase64: text }: Asked, most: number): Buffer | SimAnswer {
  if (typeof text !== 'string' || text === '')
    return tencentError('FailedOperation.EmptyImageError', '图片内容为空。')
  if (text.length > most) return tencentError('LimitExceeded.TooLargeFileError', '文件内容太大。')
  const picture = Buffer.from(text, 'base64')
  return isPicture(picture) ? picture : tencentError('FailedOperation.ImageDecodeFailed', '图片解码失败。')
}

function readLicence(asked: Asked, { kind, problem, text }: SeenPaper): SimAnswer {
  const refusal = problem && REFUSALS[problem]
  if (refusal) return tencentError(...refusal)
  if (kind !== 'licence' || problem === 'empty')
    return tencentError('FailedOperation.OcrFailed', 'OCR 识别失败。')
  const warning = asked.EnableCopyWarn === true && problem ? LICENCE_WARNINGS[problem] : undefined
  return tencentAnswer({
    RegNum: text.number,
    Name: text.name,
    Capital: '壹佰万元整',
    Person: text.person,
    Address: problem === 'incomplete' ? '' : text.address,
    Business: '餐饮服务',
    Type: '有限责任公司',
    Period: termOf(text, inWords, '至'),
    ComposingForm: '',
    SetDate: inWords(text.from),
    RecognizeWarnCode: warning ? [warning[0]] : [],
    RecognizeWarnMsg: warning ? [warning[1]] : [],
  })
}

function readCard(asked: Asked, see: (wanted: PaperKind) => SeenPaper): SimAnswer {
  const config = configOf(asked.Config)
  if (!config) return tencentError('InvalidParameter.ConfigFormatError', 'Config 不是有效的 JSON 格式。')
  const wanted = KINDS[String(asked.CardSide)]
  const { kind, problem, text, sharpness } = see(wanted ?? 'front')
  const refusal = problem && REFUSALS[problem]
  if (refusal) return tencentError(...refusal)
  if (kind === 'licence' || kind === 'bankCard' || problem === 'empty')
    return tencentError('FailedOperation.ImageNoIdCard', '图片中未检测到身份证。')
  if (wanted && wanted !== kind)
    return tencentError('FailedOperation.CardSideError', '身份证CardSide类型错误')
  const warning = problem && CARD_WARNINGS[problem]
  const isFront = kind === 'front'
  const of = (isHere: boolean, value: string) => (isHere ? value : '')
  return tencentAnswer({
    Name: of(isFront, text.name),
    Sex: of(isFront, text.sex),
    Nation: of(isFront, '汉'),
    Birth: of(
      isFront,
      `${text.birth.slice(0, 4)}/${Number(text.birth.slice(4, 6))}/${Number(text.birth.slice(6))}`,
    ),
    Address: of(isFront && problem !== 'incomplete', text.address),
    IdNum: of(isFront, text.number),
    Authority: of(!isFront, text.authority),
    ValidDate: of(!isFront, termOf(text, dotted, '-')),
    AdvancedInfo: JSON.stringify({
      ...(config.Quality === true && { Quality: sharpness }),
      ...(warning && config[warning[0]] === true && { WarnInfos: [warning[1]] }),
    }),
  })
}

/** What a check must be asked for, and the warning. */
const BANK_CARD_WARNINGS: Partial<Record<PaperProblem, [asked: string, code: number]>> = {
  copy: ['EnableCopyCheck', -9113],
  reshot: ['EnableReshootCheck', -9114],
  incomplete: ['EnableBorderCheck', -9111],
}

function readBankCard(asked: Asked, { kind, problem, text }: SeenPaper): SimAnswer {
  const refusal = problem && REFUSALS[problem]
  if (refusal) return tencentError(...refusal)
  if (kind !== 'bankCard' || problem === 'empty')
    return tencentError('FailedOperation.NoBankCardError', '照片中没有银行卡。')
  const warning = problem && BANK_CARD_WARNINGS[problem]
  return tencentAnswer({
    CardNo: text.number,
    BankInfo: `${text.name}(03080000)`,
    ValidDate: '',
    CardType: '借记卡',
    CardName: '',
    WarningCode: warning && asked[warning[0]] === true ? [warning[1]] : [],
    QualityValue: 0,
  })
}

/** Null: it is no JSON. */
function configOf(text: unknown): Record<string, unknown> | null {
  if (text === undefined || text === '') return {}
  try {
    return JSON.parse(String(text)) as Record<string, unknown>
  } catch {
    return null
  }
}
