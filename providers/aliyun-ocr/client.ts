// Alibaba Cloud OCR (ocr-api 2021-07-07, RecognizeBusinessLicense, RecognizeIdcard and RecognizeBankCard) as a reader of papers. It finds a card's
// side itself, and warns of copies of cards alone. [K], to be confirmed with real credentials: the names below `warning` and
// what their scores mean, the scale of valueProb, and the codes of arrears beside OcrServiceExpired.
import {
  type BankCardField,
  type CardSide,
  type IdCardField,
  type LicenceField,
  type Ocr,
  type OcrProblem,
  type OcrReading,
  ProviderRefused,
  ProviderUnknown,
  type Surroundings,
} from '#kit/ports/providers.ts'
import { ALIYUN_UNKNOWN, callAliyun } from '../aliyun-call.ts'
import {
  bankCardReading,
  idCardReading,
  inOurWords,
  licenceReading,
  type OcrCodes,
  readDay,
  readTerm,
  refuseEmpty,
} from '../ocr.ts'
import { type Members, membersOf, parseAnswer, textOrNull } from '../read.ts'

export type AliyunOcrSettings = { baseUrl: string; accessKeyId: string; accessKeySecret: string }

const VERSION = '2021-07-07'
/** Where it does not say how sure it is. */
const SURE = 0.9
/** Scores of 0 to 100: below it a picture is blurred or incomplete, above it altered. */
const HALF = 50

const CODES: OcrCodes = {
  problems: {
    MissingImageUrl: 'unreadable',
    exceededImageContent: 'unreadable',
    illegalImageContent: 'unreadable',
    illegalImageSize: 'unreadable',
    unmatchedImageType: 'unreadable',
    unsupportedImageFormat: 'unreadable',
    OcrServiceExpired: 'arrears',
    InsufficientBalance: 'arrears',
  },
  isBusy: code => code.startsWith('Throttling'),
  unknown: ALIYUN_UNKNOWN,
}

type Answer = { data: Members; reference: string }

export function makeAliyunOcr(settings: AliyunOcrSettings, surroundings: Surroundings): Ocr {
  const ask = (action: string, bytes: Buffer, parameters: Record<string, string> = {}) =>
    inOurWords(CODES, () => read(settings, surroundings, action, { parameters, bytes }))
  return {
    name: 'aliyun',
    isWeak: false,
    async readLicence(picture) {
      return readLicence(await ask('RecognizeBusinessLicense', picture), surroundings.now())
    },
    async readIdCard(picture, side) {
      const answer = await ask('RecognizeIdcard', picture, { OutputQualityInfo: 'true' })
      return readCard(answer, side, surroundings.now())
    },
    async readBankCard(picture) {
      return readBankCard(await ask('RecognizeBankCard', picture), surroundings.now())
    },
  }
}

/** `Data` is JSON in a text. */
async function read(
  settings: AliyunOcrSettings,
  surroundings: Surroundings,
  action: string,
  sent: { parameters: Record<string, string>; bytes: Buffer },
): Promise<Answer> {
  const { status, body } = await callAliyun({ ...settings, version: VERSION }, surroundings, action, sent)
  const reference = String(body.RequestId ?? '')
  if (status === 200 && typeof body.Data === 'string')
    return { data: membersOf(parseAnswer(action, Buffer.from(body.Data))), reference }
  if (typeof body.Code !== 'string')
    throw new ProviderUnknown(`${action} answered what cannot be read (HTTP ${status})`)
  throw new ProviderRefused(body.Code, String(body.Message ?? body.Code), reference)
}

function readLicence({ data, reference }: Answer, now: Date): OcrReading<LicenceField> {
  const values = membersOf(data.data)
  const found = finder(values, data.prism_keyValueInfo)
  const term = readTerm(
    values.validFromDate || values.validToDate
      ? `${values.validFromDate ?? ''}至${values.validToDate ?? ''}`
      : String(values.validPeriod ?? ''),
  )
  const reading = licenceReading(
    {
      number: found('creditCode'),
      name: found('companyName'),
      legalPerson: found('legalPerson'),
      address: found('businessAddress'),
      establishedOn: found('RegistrationDate', readDay),
      validFrom: found('validPeriod', () => term.from),
      validTo: found('validPeriod', () => term.to),
    },
    [],
    now,
  )
  return refuseEmpty(reading, false, reference)
}

function readCard({ data, reference }: Answer, side: CardSide, now: Date): OcrReading<IdCardField> {
  const sides = membersOf(data.data)
  const other = Object.values(membersOf(membersOf(sides[side === 'front' ? 'back' : 'face']).data))
  const seen = membersOf(sides[side === 'front' ? 'face' : 'back'])
  const found = finder(membersOf(seen.data), seen.prism_keyValueInfo)
  const reading = idCardReading(
    side === 'front'
      ? {
          name: found('name'),
          sex: found('sex'),
          birthDate: found('birthDate', readDay),
          address: found('address'),
          idNumber: found('idNumber'),
        }
      : {
          authority: found('issueAuthority'),
          validFrom: found('validPeriod', text => readTerm(text).from),
          validTo: found('validPeriod', text => readTerm(text).to),
        },
    warningsOf(membersOf(seen.warning)),
    now,
  )
  return refuseEmpty(
    reading,
    other.some(value => textOrNull(value) !== null),
    reference,
  )
}

function readBankCard({ data, reference }: Answer, now: Date): OcrReading<BankCardField> {
  const found = finder(membersOf(data.data), data.prism_keyValueInfo)
  const reading = bankCardReading(
    { number: found('cardNumber', text => text.replace(/\s/g, '')), bankName: found('bankName') },
    [],
    now,
  )
  return refuseEmpty(reading, false, reference)
}

/** Values by name, each with how sure the service says it is. */
function finder(values: Members, sureness: unknown) {
  const rows = Array.isArray(sureness) ? sureness.map(membersOf) : []
  return (name: string, read: (text: string) => string | null = text => text) => {
    const sure = Number(rows.find(({ key }) => key === name)?.valueProb)
    return {
      text: read(textOrNull(values[name]) ?? ''),
      confidence: Number.isFinite(sure) ? sure / 100 : SURE,
    }
  }
}

function warningsOf(said: Members): OcrProblem[] {
  const isSaid = (name: string) => said[name] === true || said[name] === 1
  const score = (name: string, otherwise: number) =>
    typeof said[name] === 'number' ? (said[name] as number) : otherwise
  const warnings: [OcrProblem, boolean][] = [
    ['copy', isSaid('isCopy') || isSaid('isReshoot')],
    ['blurred', score('qualityScore', 100) < HALF],
    ['incomplete', score('completenessScore', 100) < HALF],
    ['altered', score('tamperScore', 0) > HALF],
  ]
  return warnings.flatMap(([problem, isSo]) => (isSo ? [problem] : []))
}
