// What a mini program shows of itself as its agent sees it: what stands, why a part was refused, what is left, and what is handed in.
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { BUILT_IN_LIST } from '#features/programs/program-categories/reference.ts'
import { answer } from '#test/components/answers.tsx'
import { show, toasted } from '#test/components/show.tsx'
import { programProfile } from './contract.ts'
import ProfileSection from './ProfileSection.tsx'
import type { ProfileData } from './programProfileApi.tsx'
import { PROFILE_REFUSALS } from './rules.ts'

const AT = '2026-03-04T02:00:00.000Z'
const REFUSED: ProfileData['history'][number] = {
  ...{ id: 1, part: 'intro', value: '全城最好的烧烤', documentId: null, state: 'refused', isRemoval: false },
  ...{ reason: '简介含有禁止使用的词', isCurrent: true, submittedByName: '周海燕', submittedAt: AT },
  endedAt: AT,
}
const NOTHING = { value: '', change: null, left: 5, quota: 5, refusal: null }
const DATA: ProfileData = {
  ...{ id: 5, merchantId: 7, hasProfile: true, isAuthorized: true, isAsking: false },
  ...{ message: '', readAt: AT, mostCategories: 20 },
  parts: [
    { part: 'name', ...NOTHING, value: '老张面馆', refusal: PROFILE_REFUSALS.NOT_VIA_API },
    { part: 'headImage', ...NOTHING },
    { part: 'intro', ...NOTHING, left: 4, change: REFUSED },
    { part: 'category', ...NOTHING, left: 19, quota: 20 },
  ],
  categories: [
    {
      first: 220,
      second: 224,
      name: '餐饮 / 点评与推荐',
      state: 'refused',
      reason: '与经营不符',
      removalRefusal: null,
    },
  ],
  proposed: {
    ...{ programName: '老张面馆', intro: '全城最好的烧烤', headImageId: null, categoryId: 223 },
    ...{ alternative: 0, certificates: [] },
  },
  history: [REFUSED],
}
const open = () => show(<ProfileSection id={5} />, { may: ['programFlow.edit'] })
const part = async (name: string) => within(await screen.findByRole('listitem', { name }))

test('a refusal stands at its part, and what is corrected is handed in once more', async () => {
  answer(programProfile.details, DATA)
  const sent = answer(programProfile.setIntro, { isAsking: true })
  const person = open()
  const intro = await part('简介')
  intro.getByText('简介含有禁止使用的词')
  intro.getByText('本月还可修改 4 次，共 5 次')
  await person.click(intro.getByRole('button', { name: '修改后重新提交' }))
  await screen.findByText('上次未通过：简介含有禁止使用的词')
  const box = screen.getByRole('textbox', { name: /小程序简介/ })
  await person.clear(box)
  await person.type(box, '面馆')
  await person.click(screen.getByRole('button', { name: '提交审核' }))
  await screen.findByText(/小程序简介至少 4 个字/)
  await person.type(box, '在线点餐')
  await person.click(screen.getByRole('button', { name: '提交审核' }))
  await toasted('提交成功')
  expect(sent).toEqual([{ id: 5, intro: '面馆在线点餐' }])
})

test('what cannot be changed says why, and categories from elsewhere are told', async () => {
  answer(programProfile.details, DATA)
  open()
  const name = (await part('名称')).getByRole('button', { name: '修改名称' })
  expect(name.getAttribute('aria-disabled') ?? name.getAttribute('disabled')).not.toBeNull()
  ;(await part('类目')).getByText('与经营不符')
})

test('a category is chosen with the papers that it wants', async () => {
  answer(programProfile.details, {
    ...{ ...DATA, categories: [], proposed: { ...DATA.proposed, categoryId: 221 } },
  })
  answer(programProfile.categories, { ...BUILT_IN_LIST, categories: [...BUILT_IN_LIST.categories] })
  const sent = answer(programProfile.setCategory, { isAsking: true })
  const person = open()
  await person.click((await part('类目')).getByRole('button', { name: '提交类目' }))
  await screen.findByText('需要资质：《食品经营许可证》')
  await person.click(screen.getByRole('button', { name: '提交审核' }))
  await screen.findByText('请上传资质证书')
  expect(sent).toEqual([])
})

test('a category that was refused elsewhere is corrected, one is added beside it, and one is taken away', async () => {
  const PASSED = { first: 220, second: 223, name: '餐饮 / 餐厅排队', state: 'passed', reason: '' } as const
  const removalRefusal = PROFILE_REFUSALS.LAST_CATEGORY
  answer(programProfile.details, {
    ...{ ...DATA, categories: [...DATA.categories, { ...PASSED, removalRefusal }] },
  })
  answer(programProfile.categories, { ...BUILT_IN_LIST, categories: [...BUILT_IN_LIST.categories] })
  const sent = answer(programProfile.setCategory, { isAsking: true })
  const removed = answer(programProfile.removeCategory, { isAsking: true })
  const person = open()
  const category = await part('类目')
  await person.click(await category.findByRole('button', { name: '修改后重新提交' }))
  await screen.findByText('上次未通过：与经营不符')
  await person.click(screen.getByRole('button', { name: '提交审核' }))
  await toasted('提交成功')
  expect(sent).toEqual([{ id: 5, categoryId: 224, alternative: 0, certificates: [] }])

  await person.click(category.getByRole('button', { name: '添加类目' }))
  await person.click(await screen.findByRole('button', { name: '提交审核' }))
  await screen.findByText('请选择小程序类目', { selector: '[data-broken]' })
  await person.click(screen.getByRole('button', { name: '取消' }))

  // The last that has passed stays.
  expect(category.queryByRole('button', { name: '删除类目「餐饮 / 餐厅排队」' })).toBeNull()
  await person.click(category.getByRole('button', { name: '删除类目「餐饮 / 点评与推荐」' }))
  await person.click(await screen.findByRole('button', { name: '删除' }))
  await toasted('已提交删除')
  expect(removed).toEqual([{ id: 5, second: 224 }])
})

test('what was refused from here is corrected with its own papers, and a removal that failed says so', async () => {
  const change = { ...REFUSED, part: 'category', value: '餐饮 / 点评与推荐', reason: '与经营不符' } as const
  const category = { part: 'category', ...NOTHING, change } as const
  answer(programProfile.details, {
    ...{ ...DATA, parts: [...DATA.parts.slice(0, 3), category] },
    proposed: { ...DATA.proposed, categoryId: 224 },
    history: [{ ...change, isRemoval: true, reason: '类目审核中' }],
  })
  answer(programProfile.categories, { ...BUILT_IN_LIST, categories: [...BUILT_IN_LIST.categories] })
  const person = open()
  const shown = await part('类目')
  await shown.findByRole('button', { name: '修改后重新提交' })
  expect(shown.getAllByText('与经营不符')).toHaveLength(1)
  await person.click(screen.getByText('提交记录（1）'))
  screen.getByText('删除未成功')
})

test('what nobody has read is read at once', async () => {
  answer(programProfile.details, { ...DATA, readAt: null })
  const looked = answer(programProfile.look, { isAsking: true })
  open()
  await part('名称')
  await expect.poll(() => looked).toEqual([{ id: 5 }])
})
