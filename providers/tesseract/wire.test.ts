import assert from 'node:assert/strict'
import test from 'node:test'
import { type Line, readBankCardLines, readCardLines, readLicenceLines, readLines, WEAK } from './wire.ts'

const NOW = new Date('2026-11-20T04:00:00Z')
const lines = (...texts: string[]): Line[] => texts.map(text => ({ text, sure: 80 }))
const texts = (found: Partial<Record<string, { text: string | null; confidence: number }>>) =>
  Object.fromEntries(
    Object.entries(found).flatMap(([field, value]) => (value?.text ? [[field, value.text]] : [])),
  )

test('words are put together as lines, with the mean of how sure they are', () => {
  const rows = [
    'level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext',
    '4\t1\t1\t1\t1\t0\t0\t0\t9\t9\t-1\t',
    '5\t1\t1\t1\t1\t1\t0\t0\t9\t9\t90\t姓名',
    '5\t1\t1\t1\t1\t2\t0\t0\t9\t9\t70\t张三',
    '5\t1\t1\t1\t2\t1\t0\t0\t9\t9\t50\t性别',
    '5\t1\t1\t1\t2\t2\t0\t0\t9\t9\t50\t ',
    '',
  ]
  assert.deepEqual(readLines(rows.join('\n')), [
    { text: '姓名张三', sure: 80 },
    { text: '性别', sure: 50 },
  ])
  assert.deepEqual(readLines(''), [])
})

test('a licence is read by its labels, two to a line too', () => {
  const read = readLicenceLines(
    lines(
      '营业执照',
      '统一社会信用代码9144030071526726XG',
      '名称测试餐饮有限公司注册资本壹佰万元整',
      '类型有限责任公司成立日期2017年01月04日',
      '法定代表人张三营业期限自2017年01月04日至长期',
      '经营范围餐饮服务住所测试市测试区',
      '测试路1号',
    ),
  )
  assert.deepEqual(texts(read), {
    number: '9144030071526726XG',
    name: '测试餐饮有限公司',
    legalPerson: '张三',
    address: '测试市测试区测试路1号',
    establishedOn: '2017-01-04',
    validFrom: '2017-01-04',
    validTo: '长期',
  })
  for (const found of Object.values(read)) assert.ok(found.confidence <= WEAK)
})

test('letters that no credit code has are put right where its check then holds', () => {
  assert.equal(readLicenceLines(lines('代码9I44O3OO7IS26726XG')).number?.text, '9144030071526726XG')
  assert.equal(readLicenceLines(lines('代码9144030071526726XA')).number?.text, null)
  assert.equal(readLicenceLines(lines('注册号:110108000000016')).number?.text, '110108000000016')
})

test('the front of an ID card: its number says birth date and sex', () => {
  const card = ['姓名张三', '性别男民族汉', '出生1950年1月1日', '住址测试市测试区', '测试路1号']
  assert.deepEqual(texts(readCardLines(lines(...card, '公民身份号码11010519491231002x'), 'front', NOW)), {
    name: '张三',
    sex: '女',
    birthDate: '1949-12-31',
    address: '测试市测试区测试路1号',
    idNumber: '11010519491231002X',
  })
  assert.deepEqual(texts(readCardLines(lines(...card, '公民身份号码110105194912310021'), 'front', NOW)), {
    name: '张三',
    sex: '男',
    birthDate: '1950-01-01',
    address: '测试市测试区测试路1号',
    idNumber: '110105194912310021',
  })
})

test('the back of an ID card has authority and term', () => {
  const back = lines('中华人民共和国', '居民身份证', '签发机关测试市公安局', '有效期限2015.01.04-2035.01.04')
  assert.deepEqual(texts(readCardLines(back, 'back', NOW)), {
    authority: '测试市公安局',
    validFrom: '2015-01-04',
    validTo: '2035-01-04',
  })
  assert.deepEqual(texts(readCardLines(back, 'front', NOW)), {})
})

test('of a bank card the first number is taken whose check holds', () => {
  assert.deepEqual(
    texts(readBankCardLines(lines('招商银行', '6214830123456789013', '6214830123456789012'))),
    {
      number: '6214830123456789012',
    },
  )
  assert.deepEqual(texts(readBankCardLines(lines('招商银行', '1234'))), {})
})
