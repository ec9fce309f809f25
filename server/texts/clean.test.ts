// What is left of rich text once the server has it. The page's own cleaning is tested in the browser (test/e2e/support/demands.e2e.ts).
import assert from 'node:assert/strict'
import test, { describe } from 'node:test'
import { RICH_TAGS } from '#kit/words/rich.ts'
import { cleanRich } from './clean.ts'
import { HOSTILE } from './hostile.ts'

const ID = '11111111-1111-4111-8111-111111111111'

/** What of HTML is not on the list, read by its own small scanner. */
function strangeIn(html: string): string[] {
  const tags = [...html.matchAll(/<\/?([a-z0-9]+)((?:\s+[^<>]*?)?)\s*\/?>/gi)]
  const bare = html.replaceAll(/<\/?[a-z0-9]+(?:\s+[^<>]*?)?\s*\/?>/gi, '')
  return [
    ...tags.flatMap(([, tag = '', rest = '']) => {
      const attributes = [...rest.matchAll(/([^\s="]+)\s*=\s*"([^"]*)"/g)]
      const known: Record<string, RegExp> = {
        'a href': /^(?:https?:\/\/|\/admin\/)[^\s\\]+$/,
        'img src': /^\/api\/files\/[0-9a-f-]{36}$/,
        'img alt': /./,
        'ol start': /^\d+$/,
      }
      return [
        ...((RICH_TAGS as readonly string[]).includes(tag.toLowerCase()) ? [] : [tag]),
        ...attributes.flatMap(([whole, name = '', value = '']) =>
          known[`${tag} ${name}`]?.test(value) ? [] : [whole],
        ),
      ]
    }),
    ...(/[<>]/.test(bare) ? [bare] : []),
  ]
}

test('there are at least forty of them', () => assert.ok(HOSTILE.length >= 40))

describe('a hostile text is neutralised', () => {
  for (const [name, html] of HOSTILE)
    test(name, async () => {
      const rich = await cleanRich(html)
      assert.deepEqual(strangeIn(rich.html), [], rich.html)
      assert.ok(rich.text.startsWith('好'), rich.text)
      assert.doesNotMatch(rich.html, /<[^>]*(?:hacked|evil)/)
    })
})

test('what people write is kept', async () => {
  const html = `<h2>标题</h2><p><strong>粗</strong><em>斜</em><u>线</u><s>删</s> <a href="https://example.com/a?b=1">链接</a></p><ul><li><p>一</p></li></ul><ol start="3"><li><p>三</p></li></ol><blockquote><p>引</p></blockquote><pre><code>1 &lt; 2</code></pre><img src="/api/files/${ID}" alt="截图" />`
  const rich = await cleanRich(html)
  assert.equal(rich.html, html)
  assert.deepEqual(rich.pictures, [ID])
  assert.equal(rich.text, '标题\n粗斜线删 链接\n一\n三\n引\n1 < 2')
})

test('nothing but empty paragraphs is nothing', async () => {
  assert.deepEqual(await cleanRich('<p></p><p><br></p>'), { html: '', text: '', pictures: [] })
})

test('old words mean the same', async () =>
  assert.equal((await cleanRich('<p><b>粗</b><i>斜</i></p>')).html, '<p><strong>粗</strong><em>斜</em></p>'))

test('cleaning twice changes nothing', async () => {
  for (const [, html] of HOSTILE) {
    const once = (await cleanRich(html)).html
    assert.equal((await cleanRich(once)).html, once)
  }
})
