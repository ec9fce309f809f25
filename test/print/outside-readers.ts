// Reads everything that comes with the program by readers that npm does not have: node test/print/outside-readers.ts. It says what is
// missing, and ends with another code than 0 where something was not read, or not as it was meant.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { deflateSync } from 'node:zlib'
import { escposRaster } from '#kit/print/escpos.ts'
import { tsplNative } from '#kit/print/native/tspl-native.ts'
import { zplNative } from '#kit/print/native/zpl-native.ts'
import { rasterOf } from '#kit/print/raster.ts'
import { symbologyRead } from '#kit/print/scanned.ts'
import { type Bitmap, bytesAcross, type Scene } from '#kit/print/scene.ts'
import { tsplOf } from '#kit/print/tspl.ts'
import { type Dots, mmOfUm } from '#kit/print/units.ts'
import { zplOf } from '#kit/print/zpl.ts'
import { pdfOf } from '#server/print/pdf.ts'
import { readTspl, renderZpl } from './readers.ts'
import { codesOn, SYSTEM_TEMPLATES, writtenOn } from './system-templates.ts'
import { readTsplJob } from './tspl-reader.ts'

const HELP = `Reads every label and receipt that comes with the program, at 203 and 300 dpi, by readers of others:

  zbarimg                        codes in the dots of PDF, ZPL, TSPL and ESC/POS   apt-get install zbar-tools
  pdfinfo, pdftotext, pdftoppm   sizes, text and dots of PDF                       apt-get install poppler-utils
  php, escimages.php             ESC/POS taken apart                               apt-get install php-cli php-mbstring
                                 of github.com/receipt-print-hq/escpos-tools, in a folder named by ESCPOS_TOOLS, where
                                 composer install was run

  --without escpos-tools         where it cannot be had: the rest is read, and the end says what was not
  --without NAME                 zbar, poppler or escpos-tools; may stand more than once`

const READERS = ['zbar', 'poppler', 'escpos-tools'] as const
type Reader = (typeof READERS)[number]

const { values } = parseArgs({
  options: { without: { type: 'string', multiple: true, default: [] }, help: { type: 'boolean' } },
})
const tools = process.env.ESCPOS_TOOLS ?? ''
const isThere = (program: string) => {
  try {
    execFileSync('which', [program], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
const HAVE: Record<Reader, () => boolean> = {
  zbar: () => isThere('zbarimg'),
  poppler: () => ['pdfinfo', 'pdftotext', 'pdftoppm'].every(isThere),
  'escpos-tools': () =>
    isThere('php') && ['escimages.php', 'vendor/autoload.php'].every(name => existsSync(join(tools, name))),
}
const unknown = values.without.filter(name => !READERS.includes(name as Reader))
const missing = READERS.filter(name => !values.without.includes(name) && !HAVE[name]())
if (values.help || unknown.length > 0 || missing.length > 0) {
  console.log(HELP)
  if (unknown.length > 0) console.log(`\nUnknown: ${unknown.join(', ')}`)
  if (missing.length > 0) console.log(`\nMissing: ${missing.join(', ')}`)
  process.exit(values.help ? 0 : 2)
}
const reads = (name: Reader) => !values.without.includes(name)

const folder = mkdtempSync(join(tmpdir(), 'outside-readers-'))
const counts: Record<string, number> = {}
const wrong: string[] = []
function check(what: string, way: string, read: unknown, meant: unknown): void {
  counts[way] = (counts[way] ?? 0) + 1
  if (JSON.stringify(read) !== JSON.stringify(meant))
    wrong.push(`${what} by ${way}: ${JSON.stringify(read)}, not ${JSON.stringify(meant)}`)
}

const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'ignore'] })

const SYMBOLOGIES = ['ean13', 'ean8', 'code128', 'qrcode']

/** "symbology text" of each code in a picture, in order. It answers 4 where there is none. */
function scanned(picture: string): string[] {
  const only = ['-Sdisable', ...SYMBOLOGIES.map(name => `-S${name}.enable`)]
  let text = ''
  try {
    text = run('zbarimg', '-q', ...only, picture)
  } catch (error) {
    if ((error as { status?: number }).status !== 4) throw error
  }
  return text
    .split('\n')
    .filter(Boolean)
    .map(line => `${symbologyRead(line.slice(0, line.indexOf(':')))} ${line.slice(line.indexOf(':') + 1)}`)
    .sort()
}

/** Two pixels for a dot, with a margin, as PBM: 1 is black. */
function pictureOf({ width, height, rows }: Bitmap, name: string): string {
  const margin = 16
  const [wide, high] = [width * 2 + margin * 2, height * 2 + margin * 2]
  const across = bytesAcross(wide)
  const bytes = Buffer.alloc(across * high)
  const from = bytesAcross(width)
  for (let y = 0; y < height * 2; y++)
    for (let x = 0; x < width * 2; x++)
      if ((rows[(y >> 1) * from + (x >> 4)] as number) & (0x80 >> ((x >> 1) & 7))) {
        const at = (y + margin) * across + ((x + margin) >> 3)
        bytes[at] = (bytes[at] as number) | (0x80 >> ((x + margin) & 7))
      }
  const path = join(folder, `${name}.pbm`)
  writeFileSync(path, Buffer.concat([Buffer.from(`P4\n${wide} ${high}\n`), bytes]))
  return path
}

const NEAR_MM = 0.01
const MM_BY_POINT = 25.4 / 72

async function readPdf(what: string, scenes: readonly Scene[], dots: Dots): Promise<void> {
  const path = join(folder, 'paper.pdf')
  writeFileSync(path, await pdfOf(scenes.map(scene => ({ scene }))))
  const sizes = [
    ...run('pdfinfo', '-f', '1', '-l', String(scenes.length), path).matchAll(
      /Page +\d+ size: +([\d.]+) x ([\d.]+)/g,
    ),
  ]
  for (const [at, scene] of scenes.entries()) {
    const read = (sizes[at] ?? []).slice(1, 3).map(points => Number(points) * MM_BY_POINT)
    const off = [scene.width, scene.height].map((um, side) => Math.abs((read[side] ?? 0) - mmOfUm(um)))
    check(
      `${what}, ${read.map(mm => mm.toFixed(3)).join(' x ')} mm`,
      'pdfinfo',
      Math.max(...off) < NEAR_MM,
      true,
    )
    const page = String(at + 1)
    const text = run('pdftotext', '-raw', '-f', page, '-l', page, path, '-').replaceAll(/\s/g, '')
    check(what, 'pdftotext', text, writtenOn(scene.marks))
    if (!reads('zbar')) continue
    const picture = join(folder, 'page')
    const fine = String(dots * 25.4 * 2)
    run('pdftoppm', '-r', fine, '-gray', '-singlefile', '-f', page, '-l', page, path, picture)
    check(what, 'pdftoppm and zbarimg', scanned(`${picture}.pgm`), codesOn(scene))
  }
}

/** The bands that escpos-tools finds, one below the other. */
function takenApart(bytes: Uint8Array): Bitmap {
  const [file, bands] = [join(folder, 'receipt.bin'), join(folder, 'bands')]
  rmSync(bands, { recursive: true, force: true })
  mkdirSync(bands)
  writeFileSync(file, bytes)
  run('php', join(tools, 'escimages.php'), '--file', file, '--output-dir', bands, '--pbm')
  const parts = readdirSync(bands)
    .filter(name => name.endsWith('.pbm'))
    .sort((one, other) => Number(/(\d+)\.pbm$/.exec(one)?.[1]) - Number(/(\d+)\.pbm$/.exec(other)?.[1]))
    .map(name => {
      const band = readFileSync(join(bands, name))
      const [head = '', width, height] = /^P4\s(\d+) (\d+)\n/.exec(band.toString('latin1')) ?? []
      return { width: Number(width), height: Number(height), rows: band.subarray(head.length) }
    })
  return {
    width: parts[0]?.width ?? 0,
    height: parts.reduce((sum, { height }) => sum + height, 0),
    rows: Buffer.concat(parts.map(({ rows }) => rows)),
  }
}

async function readDots(what: string, scene: Scene, bitmap: Bitmap, dots: Dots): Promise<void> {
  const job = { width: scene.width, height: scene.height, dots, copies: 1 }
  const deflate = async (rows: Uint8Array) => deflateSync(rows)
  const ways: Record<string, Bitmap> = {
    'ZPL by zpl-renderer-js': await renderZpl(await zplOf(bitmap, job, deflate), job),
    TSPL: readTspl(tsplOf(bitmap, job)).bitmap,
  }
  if (reads('escpos-tools')) {
    const read = takenApart(escposRaster(bitmap))
    check(what, 'escpos-tools', Buffer.from(read.rows).equals(bitmap.rows), true)
    ways['ESC/POS by escpos-tools'] = read
  }
  if (reads('zbar'))
    for (const [way, read] of Object.entries(ways))
      check(what, `${way} and zbarimg`, scanned(pictureOf(read, 'dots')), codesOn(scene))
}

/** In the printer's own words; of TSPL there is no reader but ours that sees them. */
async function readWords(what: string, scene: Scene, laid: Glyphs, dots: Dots): Promise<void> {
  const job = { width: scene.width, height: scene.height, dots, copies: 1 }
  readTsplJob(tsplNative(scene, laid, job), dots)
  const drawn = await renderZpl(await zplNative(scene, laid, job), job)
  if (reads('zbar'))
    check(what, 'ZPL in words and zbarimg', scanned(pictureOf(drawn, 'words')), codesOn(scene))
}
type Glyphs = Parameters<typeof rasterOf>[1]

try {
  for (const dots of [8, 12] as const)
    for (const { name, kind, laidOut } of SYSTEM_TEMPLATES) {
      const { glyphs, scenes } = await laidOut(dots)
      const what = `${name} at ${dots} dots a millimetre`
      if (reads('poppler')) await readPdf(what, scenes, dots)
      for (const scene of scenes) {
        await readDots(what, scene, rasterOf(scene, glyphs, dots), dots)
        if (kind === 'label') await readWords(what, scene, glyphs, dots)
      }
    }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
for (const [way, count] of Object.entries(counts)) console.log(`${String(count).padStart(4)} read by ${way}`)
for (const line of wrong) console.log(line)
if (values.without.length > 0) console.log(`not read by ${values.without.join(', ')}`)
console.log(wrong.length === 0 ? 'all as it was meant' : `${wrong.length} otherwise than it was meant`)
process.exit(wrong.length === 0 ? 0 : 1)
