import assert from 'node:assert/strict'
import test from 'node:test'
import {
  asDomain,
  brokenProfile,
  type PhoneForm,
  type PhoneRefusal,
  type ProfileForm,
  type ProfileRefusal,
  refuseDomain,
  refuseNewPhone,
  refusePhoneForm,
} from './rules.ts'

test('a domain is a name of the internet that nobody takes for the vendor', () => {
  const cases: [label: string, refusal: ProfileRefusal | null][] = [
    ['xinyuan', null],
    ['xin-yuan-2', null],
    ['101', null],
    ['abc', null],
    ['a'.repeat(30), null],
    ['ab', 'DOMAIN_LENGTH'],
    ['', 'DOMAIN_LENGTH'],
    ['a'.repeat(31), 'DOMAIN_LENGTH'],
    ['-abc', 'DOMAIN_FORMAT'],
    ['abc-', 'DOMAIN_FORMAT'],
    ['Abc', 'DOMAIN_FORMAT'],
    ['a.bc', 'DOMAIN_FORMAT'],
    ['a_bc', 'DOMAIN_FORMAT'],
    ['鑫源公司', 'DOMAIN_FORMAT'],
    ['xn--fiqs8s', 'DOMAIN_FORMAT'],
    ['www', 'DOMAIN_RESERVED'],
    ['admin', 'DOMAIN_RESERVED'],
    ['wechat', 'DOMAIN_RESERVED'],
    ['localhost', 'DOMAIN_RESERVED'],
    ['www-xinyuan', null],
  ]
  for (const [label, refusal] of cases) assert.equal(refuseDomain(label), refusal, label)
  assert.equal(asDomain('  XinYuan '), 'xinyuan')
})

const EMPTY: ProfileForm = {
  contactName: '',
  telephone: '',
  hotline: '',
  qq: '',
  wechat: '',
  domainLabel: '',
}

test('what is written to reach an agency by can reach it, and nothing must be', () => {
  const cases: [form: Partial<ProfileForm>, refusal: ProfileRefusal | null][] = [
    [{}, null],
    [{ telephone: '0755-12345678', hotline: '400-123-4567', qq: '10000', wechat: 'xin_yuan-1' }, null],
    [{ telephone: '+86 755 1234 5678' }, null],
    [{ telephone: '０７５５－１２３４５６７８', qq: '１００００' }, null],
    [{ telephone: '0755-12345678转801' }, null],
    [{ hotline: '12345' }, null],
    [{ contactName: '<b>段</b>' }, 'CONTACT_SYMBOLS'],
    [{ domainLabel: ' XinYuan ' }, null],
    [{ telephone: '1234' }, 'TELEPHONE_FORMAT'],
    [{ telephone: 'http://x.example' }, 'TELEPHONE_FORMAT'],
    [{ hotline: '请来电' }, 'HOTLINE_FORMAT'],
    [{ hotline: '-----1' }, 'HOTLINE_FORMAT'],
    [{ qq: '0123456' }, 'QQ_FORMAT'],
    [{ qq: '1234' }, 'QQ_FORMAT'],
    [{ wechat: '微信号' }, 'WECHAT_FORMAT'],
    [{ domainLabel: 'www' }, 'DOMAIN_RESERVED'],
  ]
  for (const [form, refusal] of cases)
    assert.deepEqual(
      brokenProfile({ ...EMPTY, ...form }).map(({ code }) => code),
      refusal === null ? [] : [refusal],
      JSON.stringify(form),
    )
})

test('a number is changed with two codes, in the order of the form', () => {
  const whole: PhoneForm = { oldCode: '123456', phone: '13900001111', newCode: '654321' }
  const cases: [form: Partial<PhoneForm>, field: keyof PhoneForm | null, code: PhoneRefusal | null][] = [
    [{}, null, null],
    [{ oldCode: ' ', phone: '' }, 'oldCode', 'OLD_CODE_REQUIRED'],
    [{ oldCode: '12345' }, 'oldCode', 'CODE_WRONG'],
    [{ phone: '' }, 'phone', 'PHONE_REQUIRED'],
    [{ phone: '12345678901' }, 'phone', 'PHONE_FORMAT'],
    [{ newCode: '' }, 'newCode', 'NEW_CODE_REQUIRED'],
    [{ newCode: 'abcdef' }, 'newCode', 'CODE_WRONG'],
  ]
  for (const [form, field, code] of cases)
    assert.deepEqual(
      refusePhoneForm({ ...whole, ...form }),
      field === null ? null : { field, code },
      JSON.stringify(form),
    )
  assert.equal(refuseNewPhone('13900001111', '13900001111'), 'PHONE_SAME')
})
