// tesseract of this machine, with simplified Chinese (chi_sim), as a reader of papers: weak, since it knows no papers. Pictures
// go to its input, so that none lies in a file of its own.
import { type Ocr, OcrRefused, ProviderBusy, ProviderUnknown } from '#kit/ports/providers.ts'
import { bankCardReading, idCardReading, licenceReading, refuseEmpty } from '../ocr.ts'
import { type Ran, runProgram } from './run.ts'
import { type Line, readBankCardLines, readCardLines, readLicenceLines, readLines } from './wire.ts'

export type TesseractSettings = {
  program: string
  path: string | undefined
  /** How long a paper may take to be read; 20 s where nothing is said. */
  timeoutMs?: number
}

const READ_WITHIN_MS = 20_000
const LANGUAGE = 'chi_sim'
/** At once; more would take the machine from those who work with it. */
const RUNS_MAX = 2
/** One block of text, as words with how sure it is of each. */
const PARAMETERS = ['stdin', 'stdout', '-l', LANGUAGE, '--psm', '6', 'tsv']

/** Whether the program is there, and reads Chinese. */
export async function hasTesseract(settings: TesseractSettings): Promise<boolean> {
  const { outcome, output } = await run(settings, ['--list-langs'], Buffer.alloc(0))
  return outcome === 0 && output.split('\n').some(line => line.trim() === LANGUAGE)
}

export function makeTesseract(settings: TesseractSettings, now: () => Date): Ocr {
  let runs = 0
  async function linesOf(picture: Buffer): Promise<Line[]> {
    if (runs >= RUNS_MAX) throw new ProviderBusy('Busy', 'others are being read')
    runs++
    try {
      return linesIn(await run(settings, PARAMETERS, picture))
    } finally {
      runs--
    }
  }
  return {
    name: 'tesseract',
    isWeak: true,
    async readLicence(picture) {
      return refuseEmpty(licenceReading(readLicenceLines(await linesOf(picture)), [], now()), false, '')
    },
    async readIdCard(picture, side) {
      const lines = await linesOf(picture)
      const read = (of: typeof side) => idCardReading(readCardLines(lines, of, now()), [], now())
      const other = read(side === 'front' ? 'back' : 'front')
      return refuseEmpty(read(side), Object.keys(other.fields).length > 0, '')
    },
    async readBankCard(picture) {
      const lines = await linesOf(picture)
      return refuseEmpty(bankCardReading(readBankCardLines(lines), [], now()), false, '')
    },
  }
}

function run(settings: TesseractSettings, parameters: readonly string[], input: Buffer) {
  const { program, path, timeoutMs = READ_WITHIN_MS } = settings
  return runProgram({ program, parameters, path }, input, timeoutMs)
}

function linesIn({ outcome, output }: Ran): Line[] {
  if (outcome === 0) return readLines(output)
  if (typeof outcome === 'number')
    throw new OcrRefused('unreadable', String(outcome), 'tesseract cannot read it')
  throw new ProviderUnknown(`tesseract was ${outcome}`)
}
