// What the form says of a name once its field is left, and in which order what is missing is said.
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer } from '#test/components/answers.tsx'
import { show } from '#test/components/show.tsx'
import { programApplications } from './contract.ts'
import type { ApplicationData } from './programApplicationsApi.tsx'
import RegistrationForm from './RegistrationForm.tsx'

const DATA: ApplicationData = {
  ...{ id: 5, revision: 1, kind: 'registration', state: 'draft', merchantId: 7, shopName: '南山面馆' },
  ...{ account: '13800138000', agentId: 3, agentName: '深圳代理', verificationStatus: 'verified' },
  ...{ companyName: '深圳市老张餐饮有限公司', companyCode: '9144030071526726XG' },
  ...{ legalPersonWechatMasked: 'zh****88', legalPersonName: '张三', servicePhone: '0755-88886666' },
  ...{ programName: '', programType: 'scanOrder', intro: '老张面馆的点餐小程序' },
  ...{ categoryId: null, categoryName: '', alternative: 0, certificates: [], papers: [], reason: '' },
  ...{ createdAt: '2026-03-04T02:00:00.000Z', submittedByName: '', submittedAt: null },
  ...{ handledByName: '', handledAt: null, deletedByName: '', deletedAt: null },
  ...{ editRefusal: null, hours: 24 },
}
const LIST = {
  ...{ id: 0, source: 'builtIn' as const, takenAt: '2026-03-04T02:00:00.000Z', takenByName: '' },
  categories: [],
}

test('a name that is taken is refused at its field and stays there, and another is asked about anew', async () => {
  answer(programApplications.categories, LIST)
  const asked = answer(programApplications.checkName, {
    standing: 'unavailable',
    words: '当前名称不可用：名称已被占用',
  })
  const person = show(<RegistrationForm data={DATA} />, { may: ['programApplications.edit'] })
  const name = await screen.findByRole('textbox', { name: /小程序名称/ })
  await person.type(name, '老张面馆')
  expect(asked).toEqual([])
  await person.tab()
  await screen.findByText('当前名称不可用：名称已被占用')
  expect(asked).toEqual([{ name: '老张面馆' }])
  expect((name as HTMLInputElement).value).toBe('老张面馆')
  await person.type(name, '点餐')
  expect(screen.queryByText('当前名称不可用：名称已被占用')).toBeNull()
})

test('what is missing is said in the documents’ order, and the WeChat number that is kept is not asked for again', async () => {
  answer(programApplications.categories, LIST)
  const person = show(<RegistrationForm data={DATA} />, { may: ['programApplications.edit'] })
  await person.click(await screen.findByRole('button', { name: '确认提交' }))
  await screen.findByText('请输入小程序名称')
  for (const text of ['请选择小程序类目', '请上传小程序头像', '请上传身份证正面照', '请上传营业执照'])
    expect(screen.getAllByText(text).length).toBeGreaterThan(0)
  expect(screen.queryByText('请输入法人微信号')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /小程序名称/ }))
})
