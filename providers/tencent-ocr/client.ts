// Tencent Cloud OCR (2018-11-19, BizLicenseOCR, IDCardOCR and BankCardOCR) as a reader of papers. It says of no value how sure it is: an ID
// card has a mark of its picture's sharpness, a licence none. [K], to be confirmed with real credentials: the form of
// AdvancedInfo, and which code a card's wrong side gets; so whoever reads the other side's values says so too.
import type {
  BankCardField,
  CardSide,
  IdCardField,
  LicenceField,
  Ocr,
  OcrProblem,
  OcrReading,
  Surroundings,
} from '#kit/ports/providers.ts'
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
import { type Members, membersOf, textOrNull } from '../read.ts'
import { callTencent } from '../tencent-call.ts'

export type TencentOcrSettings = { baseUrl: string; secretId: string; secretKey: string; region: string }

const VERSION = '2018-11-19'
/** What its documentation says of ID cards; of licences it says nothing. */
const SURE_OF_CARD = 0.99
const SURE_OF_LICENCE = 0.9
/** Below it, the documentation calls a picture blurred. */
const SHARP = 50
const ASKED = {
  CopyWarn: true,
  BorderCheckWarn: true,
  ReshootWarn: true,
  DetectPsWarn: true,
  TempIdWarn: true,
  InvalidDateWarn: true,
  ReflectWarn: true,
  Quality: true,
}
const CARD_WARNINGS: Record<string, OcrProblem> = {
  '-9100': 'expired',
  '-9109': 'expired',
  '-9101': 'incomplete',
  '-9105': 'incomplete',
  '-9107': 'incomplete',
  '-9102': 'copy',
  '-9103': 'copy',
  '-9108': 'copy',
  '-9104': 'temporary',
  '-9106': 'altered',
}
const BANK_CARD_WARNINGS: Record<string, OcrProblem> = {
  '-9110': 'expired',
  '-9111': 'incomplete',
  '-9112': 'incomplete',
  '-9113': 'copy',
  '-9114': 'copy',
}
/** The same numbers as of cards, with other meanings. */
const LICENCE_WARNINGS: Record<string, OcrProblem> = { '-9102': 'copy', '-9104': 'copy' }

const CODES: OcrCodes = {
  problems: {
    'FailedOperation.ImageBlur': 'blurred',
    'FailedOperation.CardSideError': 'wrong-side',
    'FailedOperation.DetectFailed': 'unreadable',
    'FailedOperation.EmptyImageError': 'unreadable',
    'FailedOperation.IdCardInfoIllegal': 'unreadable',
    'FailedOperation.IdCardTooSmall': 'unreadable',
    'FailedOperation.ImageDecodeFailed': 'unreadable',
    'FailedOperation.ImageNoIdCard': 'unreadable',
    'FailedOperation.NoBankCardError': 'unreadable',
    'FailedOperation.ImageNoText': 'unreadable',
    'FailedOperation.ImageSizeTooLarge': 'unreadable',
    'FailedOperation.MultiCardError': 'unreadable',
    'FailedOperation.OcrFailed': 'unreadable',
    'InvalidParameter.EngineImageDecodeFailed': 'unreadable',
    'LimitExceeded.TooLargeFileError': 'unreadable',
    'FailedOperation.ArrearsError': 'arrears',
    'ResourceUnavailable.InArrears': 'arrears',
    'ResourcesSoldOut.ChargeStatusException': 'arrears',
  },
  isBusy: code => code.startsWith('RequestLimitExceeded') || code === 'FailedOperation.CountLimitError',
  unknown: ['FailedOperation.EngineRecognizeTimeout', 'FailedOperation.UnKnowError'],
}

export function makeTencentOcr(settings: TencentOcrSettings, surroundings: Surroundings): Ocr {
  const ask = (action: string, parameters: Members) =>
    inOurWords(CODES, () =>
      callTencent({ ...settings, service: 'ocr', version: VERSION }, surroundings, action, parameters),
    )
  return {
    name: 'tencent',
    isWeak: false,
    async readLicence(picture) {
      const answer = await ask('BizLicenseOCR', {
        ImageBase64: picture.toString('base64'),
        EnableCopyWarn: true,
      })
      return readLicence(answer, surroundings.now())
    },
    async readIdCard(picture, side) {
      const answer = await ask('IDCardOCR', {
        ImageBase64: picture.toString('base64'),
        CardSide: side === 'front' ? 'FRONT' : 'BACK',
        Config: JSON.stringify(ASKED),
      })
      return readCard(answer, side, surroundings.now())
    },
    async readBankCard(picture) {
      const answer = await ask('BankCardOCR', {
        ImageBase64: picture.toString('base64'),
        ...{ EnableCopyCheck: true, EnableReshootCheck: true, EnableBorderCheck: true },
      })
      return readBankCard(answer, surroundings.now())
    },
  }
}

function readLicence(answer: Members, now: Date): OcrReading<LicenceField> {
  const found = (text: string | null) => ({ text, confidence: SURE_OF_LICENCE })
  const term = readTerm(textOrNull(answer.Period) ?? '')
  const reading = licenceReading(
    {
      number: found(textOrNull(answer.RegNum)),
      name: found(textOrNull(answer.Name)),
      legalPerson: found(textOrNull(answer.Person)),
      address: found(textOrNull(answer.Address)),
      establishedOn: found(readDay(textOrNull(answer.SetDate) ?? '')),
      validFrom: found(term.from),
      validTo: found(term.to),
    },
    warningsOf(answer.RecognizeWarnCode, LICENCE_WARNINGS),
    now,
  )
  return refuseEmpty(reading, false, String(answer.RequestId))
}

function readCard(answer: Members, side: CardSide, now: Date): OcrReading<IdCardField> {
  const said = advanced(answer.AdvancedInfo)
  const quality = said.Quality === undefined ? 100 : Number(said.Quality)
  const found = (text: string | null) => ({ text, confidence: (SURE_OF_CARD * quality) / 100 })
  const text = (name: string) => textOrNull(answer[name])
  const term = readTerm(text('ValidDate') ?? '')
  const sides = {
    front: {
      name: found(text('Name')),
      sex: found(text('Sex')),
      birthDate: found(readDay(text('Birth') ?? '')),
      address: found(text('Address')),
      idNumber: found(text('IdNum')),
    },
    back: { authority: found(text('Authority')), validFrom: found(term.from), validTo: found(term.to) },
  }
  const warnings = warningsOf(said.WarnInfos, CARD_WARNINGS)
  if (quality < SHARP) warnings.push('blurred')
  const isOther = [...Object.values(sides[side === 'front' ? 'back' : 'front'])].some(
    ({ text }) => text !== null,
  )
  return refuseEmpty(idCardReading(sides[side], warnings, now), isOther, String(answer.RequestId))
}

/** The bank's name stands before its number, in brackets. */
function readBankCard(answer: Members, now: Date): OcrReading<BankCardField> {
  const found = (text: string | null) => ({ text, confidence: SURE_OF_CARD })
  const bank = textOrNull(answer.BankInfo)?.replace(/[(（].*$/, '') ?? null
  const reading = bankCardReading(
    { number: found(textOrNull(answer.CardNo)), bankName: found(bank) },
    warningsOf(answer.WarningCode, BANK_CARD_WARNINGS),
    now,
  )
  return refuseEmpty(reading, false, String(answer.RequestId))
}

/** What AdvancedInfo says; nothing where it cannot be read: the values are there all the same. */
function advanced(text: unknown): Members {
  try {
    return typeof text === 'string' && text !== '' ? membersOf(JSON.parse(text)) : {}
  } catch {
    return {}
  }
}

function warningsOf(codes: unknown, meanings: Record<string, OcrProblem>): OcrProblem[] {
  return Array.isArray(codes) ? codes.flatMap(code => meanings[String(code)] ?? []) : []
}
