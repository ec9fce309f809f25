// Alibaba Cloud OCR on loopback, for tests and the demo. Differs from the real service: it sees what simulated-ocr.ts says, and
// no addresses (`Url`); places of values are left out; what a score of a bad picture is, is our reading.
import { randomBytes, randomUUID } from 'node:crypto'
import { type AliyunKeys, aliyunError, makeGate } from '../acs3-verifier.ts'
import {
  dotted,
  inWords,
  isPicture,
  makeReader,
  type PaperKind,
  type SeenPaper,
  termOf,
} from '../simulated-ocr.ts'
import { json, type RunningSimulator, type SimAnswer, startSimulator } from '../simulator.ts'

const MOST = 10 * 1024 * 1024
const WANTED: Record<string, PaperKind> = {
  RecognizeBusinessLicense: 'licence',
  RecognizeIdcard: 'front',
  RecognizeBankCard: 'bankCard',
}
/** A card's side it finds itself. */
const sortOf = (kind: PaperKind) => (kind === 'back' ? 'front' : kind)
const GOOD = 98

export function makeAliyunOcrKeys(): AliyunKeys {
  return {
    accessKeyId: `LTAI5t${randomBytes(9).toString('hex')}`,
    accessKeySecret: randomBytes(15).toString('hex'),
  }
}

export function aliyunOcrSettings(keys: AliyunKeys, url: string) {
  return { baseUrl: url, ...keys }
}

export async function startAliyunOcrSimulator(
  { keys }: { keys: AliyunKeys },
  port = 0,
): Promise<RunningSimulator> {
  const reader = makeReader()
  const refuse = makeGate(keys)
  return startSimulator(
    {
      nameOf: ({ path, headers }) => (path === '/' ? String(headers['x-acs-action'] ?? 'none') : null),
      errorOf: aliyunError,
      control: reader.control,
      handle(name, request, control) {
        const refused = refuse(request, control)
        if (refused) return refused
        const wanted = WANTED[name]
        if (!wanted || request.headers['x-acs-version'] !== '2021-07-07')
          return aliyunError('InvalidAction.NotFound', 'Specified api is not found.')
        const { body, query } = request
        if (body.length === 0) return aliyunError('MissingImageUrl', 'You must specify image URL.')
        if (body.length > MOST)
          return aliyunError('exceededImageContent', 'The image content size exceeds the 10 MB limit.')
        if (!isPicture(body))
          return aliyunError('unsupportedImageFormat', 'The image format or content is not supported.')
        const seen = reader.see(body, wanted)
        if (seen.problem === 'arrears' || control.take('quota-exhausted', name))
          return aliyunError('OcrServiceExpired', 'The OCR service has expired.')
        if (seen.problem === 'empty' || sortOf(seen.kind) !== wanted)
          return aliyunError('unmatchedImageType', 'The image type does not match the API operation.')
        if (wanted === 'bankCard') return bankCard(seen)
        return wanted === 'licence' ? licence(seen) : card(seen, query.get('OutputQualityInfo') === 'true')
      },
    },
    port,
  )
}

function answer(data: unknown): SimAnswer {
  return json({ RequestId: randomUUID().toUpperCase(), Data: JSON.stringify(data) })
}

function sureness(values: Record<string, string>, valueProb: number) {
  return Object.entries(values).map(([key, value]) => ({ key, keyProb: 100, value, valueProb }))
}

function licence({ problem, text, sharpness }: SeenPaper): SimAnswer {
  const isClear = problem !== 'blurred'
  const data = {
    creditCode: isClear ? text.number : '',
    companyName: isClear ? text.name : '',
    companyType: isClear ? '有限责任公司' : '',
    businessAddress: isClear && problem !== 'incomplete' ? text.address : '',
    legalPerson: isClear ? text.person : '',
    businessScope: '',
    registeredCapital: '',
    RegistrationDate: isClear ? inWords(text.from) : '',
    validPeriod: isClear ? termOf(text, inWords, '至') : '',
    validFromDate: isClear ? text.from : '',
    validToDate: isClear ? (text.to ?? '29991231') : '',
    companyForm: '',
  }
  return answer({ data, ftype: 0, angle: 0, prism_keyValueInfo: sureness(data, sharpness) })
}

function bankCard({ problem, text, sharpness }: SeenPaper): SimAnswer {
  const isClear = problem !== 'blurred'
  const data = {
    bankName: isClear ? text.name : '',
    cardNumber: isClear ? text.number : '',
    validToDate: '',
    cardType: isClear ? 'DC' : '',
  }
  return answer({ data, ftype: 0, angle: 0, prism_keyValueInfo: sureness(data, sharpness) })
}

function card({ kind, problem, text, sharpness }: SeenPaper, isQualityAsked: boolean): SimAnswer {
  const isClear = problem !== 'blurred'
  const front = {
    name: isClear ? text.name : '',
    sex: isClear ? text.sex : '',
    ethnicity: isClear ? '汉' : '',
    birthDate: isClear ? inWords(text.birth) : '',
    address: isClear && problem !== 'incomplete' ? text.address : '',
    idNumber: isClear ? text.number : '',
  }
  const back = {
    issueAuthority: isClear ? text.authority : '',
    validPeriod: isClear ? termOf(text, dotted, '-') : '',
  }
  const data = kind === 'front' ? front : back
  const side = {
    data,
    prism_keyValueInfo: sureness(data, sharpness),
    ftype: 0,
    angle: 0,
    ...(isQualityAsked && {
      warning: {
        isCopy: problem === 'copy' ? 1 : 0,
        isReshoot: problem === 'reshot' ? 1 : 0,
        completenessScore: problem === 'incomplete' ? 20 : GOOD,
        qualityScore: problem === 'blurred' ? 10 : sharpness,
        tamperScore: problem === 'altered' ? 90 : 0,
      },
    }),
  }
  return answer({ data: { [kind === 'front' ? 'face' : 'back']: side } })
}
