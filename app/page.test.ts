import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { DEMO_PASSWORD } from '#features/office/access/sample.ts'
import { makePage } from './page.ts'

let dir: string
before(() => {
  dir = mkdtempSync(join(tmpdir(), 'partner-office-page-'))
  mkdirSync(join(dir, '.vite'))
  writeFileSync(join(dir, 'index.html'), '<head><title>页</title></head><body>__CSP_NONCE__</body>')
  writeFileSync(
    join(dir, '.vite/manifest.json'),
    JSON.stringify({ 'app/web-boot.ts': { file: 'assets/boot.js' } }),
  )
})
after(() => rmSync(dir, { recursive: true }))

test('the accounts of the demo are named on its login page, and nowhere else', () => {
  const page = makePage(dir)
  assert.match(page('/login', 'n', { demo: true }), /demo-accounts/)
  for (const [path, demo] of [
    ['/admin/index', true],
    ['/consult', true],
  ] as const)
    assert.doesNotMatch(page(path, 'n', { demo }), new RegExp(DEMO_PASSWORD), path)
  for (const path of ['/', '/login', '/admin/index', '/consult'])
    assert.doesNotMatch(page(path, 'n', { demo: false }), new RegExp(`demo|${DEMO_PASSWORD}`), path)
})

test('the help line stands on the login page as it was set, whatever characters it has', () => {
  const html = makePage(dir)('/login', 'n', { demo: false, helpLine: '400 "0" <b>&' })
  assert.match(html, /<meta name="help-line" content="400 &quot;0&quot; <b>&amp;">/)
})

test('a page under an agent’s domain says whose it is, with whatever characters the name has, and no other page does', () => {
  const page = makePage(dir)
  const brand = { companyName: `"$&" <b>`, logoId: null }
  const html = page('/login', 'n', { demo: false, underDomain: { brand } })
  assert.ok(
    html.includes(
      '<meta name="brand" content="{&quot;companyName&quot;:&quot;\\&quot;$&amp;\\&quot; <b>&quot;,&quot;logoId&quot;:null}">',
    ),
    html,
  )
  assert.match(
    page('/login', 'n', { demo: false, underDomain: { brand: null } }),
    /name="brand" content="null"/,
  )
  assert.doesNotMatch(page('/login', 'n', { demo: false }), /"brand"/)
})

test('a page that only an address nobody can guess opens asks search engines to leave it out', () => {
  const page = makePage(dir)
  for (const path of ['/o/abc', '/m/abc', '/s/abc', '/c/abc', '/invite/abc'])
    assert.match(page(path, 'n', { demo: false }), /<meta name="robots" content="noindex">/, path)
  for (const path of ['/consult', '/partner/apply', '/login'])
    assert.doesNotMatch(page(path, 'n', { demo: false }), /robots/, path)
})

test('a page names the file of its own code, and the login page what the start page loads beyond it', () => {
  const own = mkdtempSync(join(tmpdir(), 'partner-office-page-'))
  mkdirSync(join(own, '.vite'))
  writeFileSync(join(own, 'index.html'), '<head><title>页</title></head>')
  writeFileSync(
    join(own, '.vite/manifest.json'),
    JSON.stringify({
      'index.html': { file: 'assets/page.js', imports: ['_base.js'] },
      'app/web-boot.ts': { file: 'assets/boot.js' },
      '_base.js': { file: 'assets/base.js', css: ['assets/base.css'] },
      'app/login.tsx': { file: 'assets/login.js', imports: ['_base.js'] },
      'app/signed-in.tsx': { file: 'assets/signed-in.js', imports: ['_base.js', '_frame.js'] },
      '_frame.js': { file: 'assets/frame.js', css: ['assets/frame.css'] },
      'features/overview/dashboard/HomePage.tsx': { file: 'assets/HomePage.js', imports: ['_frame.js'] },
    }),
  )
  try {
    const page = makePage(own)
    const home = page('/admin/index', 'n', { demo: false })
    assert.ok(home.includes('<meta name="page-code" content="/assets/HomePage.js">'), home)
    assert.doesNotMatch(home, /next-code/)
    const login = page('/login', 'n', { demo: false })
    const next = ['frame.css', 'frame.js', 'signed-in.js', 'HomePage.js'].map(file => `/assets/${file}`)
    assert.ok(login.includes(`<meta name="next-code" content="${next.join(' ')}">`), login)
    assert.doesNotMatch(login, /page-code/)
  } finally {
    rmSync(own, { recursive: true })
  }
})
