// A paper beside what it is to prove: its picture, or why there is none.
import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '#test/components/show.tsx'
import { PaperFigure } from './PaperFigure.tsx'

const KEPT = { id: 5, state: 'current', width: 300, height: 200 } as const
const ADDRESS = '/api/documents/5/picture?purpose=paymentApplication'
const figure = (paper: Parameters<typeof PaperFigure>[0]['paper']) => (
  <PaperFigure paper={paper} kind="businessLicence" purpose="paymentApplication">
    <span>长期有效</span>
  </PaperFigure>
)

test('its picture is read for its purpose, and opens by itself', async () => {
  show(figure(KEPT))
  const picture = await screen.findByRole('img', { name: '营业执照' })
  expect(picture.getAttribute('src')).toBe(ADDRESS)
  expect(screen.getByRole('link', { name: '放大营业执照' }).getAttribute('href')).toBe(ADDRESS)
  screen.getByText('长期有效')
  fireEvent.error(picture)
  await screen.findByText('图片不能显示')
  expect(screen.queryByRole('link')).toBeNull()
})

test.each([
  ['未上传', undefined],
  ['已销毁', { ...KEPT, state: 'erased' as const }],
])('%s is said in its place', async (text, paper) => {
  show(figure(paper))
  await screen.findByText(text)
  expect(screen.queryByRole('img')).toBeNull()
})

test('nobody is shown it who looks at a page as somebody else', async () => {
  show(figure(KEPT), { session: { viewedUntil: '2099-01-01T00:00:00.000Z' } })
  await screen.findByRole('figure')
  expect(screen.queryByRole('img')).toBeNull()
})
