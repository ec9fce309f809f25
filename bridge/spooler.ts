// Printers of Windows: bytes go through its spooler as they are (datatype RAW), by a call into winspool that PowerShell makes.
import { type ExecFileException, execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const POWERSHELL = 'powershell.exe'
const ENDS_WITHIN_MS = 60_000

/** What it says comes as text, in one alphabet whatever the system's is. */
const SPEAKS = `
$ProgressPreference = 'SilentlyContinue'
try { [Console]::OutputEncoding = [Text.Encoding]::UTF8 } catch { }
`

/** What it needs stands before it as base64 (`given`), so that no name of a printer is ever part of a command. */
const SEND = `
$ErrorActionPreference = 'Stop'
Add-Type -TypeDefinition @'
using System; using System.Runtime.InteropServices;
public class Spool {
  [StructLayout(LayoutKind.Sequential, CharSet = CharSet.Unicode)]
  public class Doc { public string Name; public string File; public string Type; }
  [DllImport("winspool.drv", CharSet = CharSet.Unicode, SetLastError = true)]
  static extern bool OpenPrinter(string name, out IntPtr printer, IntPtr defaults);
  [DllImport("winspool.drv", SetLastError = true)] static extern bool ClosePrinter(IntPtr printer);
  [DllImport("winspool.drv", CharSet = CharSet.Unicode, SetLastError = true)]
  static extern int StartDocPrinter(IntPtr printer, int level, [In, MarshalAs(UnmanagedType.LPStruct)] Doc doc);
  [DllImport("winspool.drv", SetLastError = true)] static extern bool EndDocPrinter(IntPtr printer);
  [DllImport("winspool.drv", SetLastError = true)] static extern bool StartPagePrinter(IntPtr printer);
  [DllImport("winspool.drv", SetLastError = true)] static extern bool EndPagePrinter(IntPtr printer);
  [DllImport("winspool.drv", SetLastError = true)]
  static extern bool WritePrinter(IntPtr printer, byte[] bytes, int count, out int written);
  static void Check(bool ok) { if (!ok) throw new System.ComponentModel.Win32Exception(Marshal.GetLastWin32Error()); }
  public static void Send(string name, string title, byte[] bytes) {
    IntPtr printer;
    Check(OpenPrinter(name, out printer, IntPtr.Zero));
    try {
      Check(StartDocPrinter(printer, 1, new Doc { Name = title, Type = "RAW" }) != 0);
      Check(StartPagePrinter(printer));
      int written;
      Check(WritePrinter(printer, bytes, bytes.Length, out written) && written == bytes.Length);
      Check(EndPagePrinter(printer));
      Check(EndDocPrinter(printer));
    } finally { ClosePrinter(printer); }
  }
}
'@
[Spool]::Send($printer, $title, [IO.File]::ReadAllBytes($file))
`
const IS_THERE = `
$ErrorActionPreference = 'Stop'
Get-Printer -Name ([Management.Automation.WildcardPattern]::Escape($printer)) | Out-Null
`

/** Rejects with what the system says, also where there is no such printer. */
export const isSpoolerReached = (printer: string) => run(given({ printer }) + IS_THERE)

/** Resolves when the spooler has taken all of it; `dir` is a folder of ours for the bytes on their way. */
export async function sendToSpooler(
  printer: string,
  { name, bytes, signal }: { name: string; bytes: Buffer; signal: AbortSignal },
  dir: string,
): Promise<void> {
  const file = join(dir, `${randomUUID()}.spool`)
  writeFileSync(file, bytes, { mode: 0o600 })
  try {
    const title = name.replace(/\p{C}/gu, ' ').trim() || 'job'
    await run(given({ printer, title, file }) + SEND, signal)
  } finally {
    rmSync(file, { force: true })
  }
}

const given = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([name, value]) => {
      const text = Buffer.from(value, 'utf8').toString('base64')
      return `$${name} = [Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('${text}'))\n`
    })
    .join('')

function run(script: string, signal?: AbortSignal): Promise<void> {
  const encoded = Buffer.from(SPEAKS + script, 'utf16le').toString('base64')
  const flags = ['-NoProfile', '-NonInteractive', '-OutputFormat', 'Text', '-ExecutionPolicy', 'Bypass']
  const options = { timeout: ENDS_WITHIN_MS, windowsHide: true, signal }
  return new Promise((resolve, reject) => {
    execFile(POWERSHELL, [...flags, '-EncodedCommand', encoded], options, (error, _out, said) =>
      error ? reject(new Error(said.trim().slice(0, 300) || reasonOf(error))) : resolve(),
    )
  })
}

/** Of an end without a word. The error's own message is the whole command. */
function reasonOf({ code, signal }: ExecFileException): string {
  return `${POWERSHELL}: ${code ?? signal ?? 'ended'}`
}
