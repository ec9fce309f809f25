import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { changesTo, divisionsWith, provinces, refuseDivision } from './divisions.ts'
import { type Division, editionChange, editionText, REGION_REFUSALS, readEdition } from './rules.ts'

const OWN = divisionsWith([])
const { nameOf: divisionName, pathOf: divisionPath, formatAddress } = OWN

const cities = provinces().flatMap(province => province.children ?? [])
const districts = cities.flatMap(city => city.children ?? [])
const all: Division[] = [...provinces(), ...cities, ...districts]
const isMainland = (division: Division) => !['71', '81', '82'].includes(division.code.slice(0, 2))

test('every level has codes of its own length and every branch reaches a district', () => {
  for (const province of provinces()) {
    assert.match(province.code, /^\d{2}$/)
    assert.ok(province.children && province.children.length > 0, `${province.name} has no city`)
  }
  for (const city of cities) {
    assert.match(city.code, /^\d{4}$/)
    assert.ok(city.children && city.children.length > 0, `${city.code} ${city.name} has no district`)
  }
  for (const district of districts) {
    assert.match(district.code, /^\d{6}$/)
    assert.equal(district.children, undefined)
  }
})

test("a child's code starts with its parent's and no code appears twice", () => {
  for (const parent of [...provinces(), ...cities])
    for (const child of parent.children ?? [])
      assert.ok(child.code.startsWith(parent.code), `${child.code} is under ${parent.code}`)
  assert.equal(new Set(all.map(division => division.code)).size, all.length)
})

test('siblings are sorted by code and have different names', () => {
  const families = [provinces(), ...[...provinces(), ...cities].map(parent => parent.children ?? [])]
  for (const siblings of families) {
    const codes = siblings.map(division => division.code)
    assert.deepEqual(codes, codes.toSorted())
    const names = siblings.map(division => division.name)
    assert.equal(new Set(names).size, names.length, `a name repeats among ${codes[0]} and its siblings`)
  }
})

test('names are Chinese without spaces', () => {
  for (const { code, name } of all) assert.match(name, /^\p{Script=Han}+$/u, code)
})

test('the counts are those published for the end of 2025', () => {
  assert.equal(provinces().length, 34)
  const cityLeaves = districts.filter(district => isMainland(district) && district.code.endsWith('00'))
  assert.deepEqual(
    cityLeaves.map(district => district.name),
    ['东莞市', '中山市', '儋州市', '嘉峪关市'],
  )
  assert.equal(districts.filter(isMainland).length - cityLeaves.length, 2845)
  const prefectures = cities.filter(city => isMainland(city) && !/^(?:11|12|31|50|\d\d90)/.test(city.code))
  assert.equal(prefectures.length, 333)
})

test('a city without districts has itself as its only district', () => {
  for (const code of ['4419', '4420', '4604', '6202']) {
    const city = cities.find(candidate => candidate.code === code)
    assert.deepEqual(city?.children, [{ code: `${code}00`, name: city?.name }])
  }
})

test('zones of the statistics office and placeholder rows are not districts', () => {
  for (const { code, name } of districts) {
    assert.doesNotMatch(code, /7[1-9]$/, name)
    assert.doesNotMatch(name, /^市辖区$|开发区$|园区管委会$|管理区$|示范区$|委员会$|群岛$/, code)
  }
})

const KNOWN: readonly (readonly [string, string])[] = [
  ['11', '北京市'],
  ['1101', '北京市'],
  ['110101', '东城区'],
  ['120116', '滨海新区'],
  ['220106', '绿园区'],
  ['310115', '浦东新区'],
  ['310151', '崇明区'],
  ['330110', '余杭区'],
  ['330113', '临平区'],
  ['330114', '钱塘区'],
  ['419001', '济源市'],
  ['4290', '省直辖县级行政区划'],
  ['429021', '神农架林区'],
  ['4403', '深圳市'],
  ['440305', '南山区'],
  ['441900', '东莞市'],
  ['442000', '中山市'],
  ['460302', '西沙区'],
  ['460303', '南沙区'],
  ['460400', '儋州市'],
  ['5002', '县'],
  ['500157', '两江新区'],
  ['500235', '云阳县'],
  ['540481', '米林市'],
  ['540581', '错那市'],
  ['620200', '嘉峪关市'],
  ['653228', '和康县'],
  ['653229', '和安县'],
  ['659012', '白杨市'],
  ['710000', '台湾省'],
  ['810001', '中西区'],
  ['820004', '大堂区'],
]
for (const [code, name] of KNOWN) {
  test(`${code} is ${name}`, () => assert.equal(divisionName(code), name))
}

const ABSENT: readonly (readonly [string, string])[] = [
  ['330103', 'the former 下城区 of 杭州'],
  ['330104', 'the former 江干区 of 杭州'],
  ['340177', 'an economic zone of 合肥'],
  ['320571', 'an industrial park of 苏州'],
  ['370176', 'a high-tech zone of 济南'],
  ['500112', 'the former 渝北区 of 重庆'],
  ['540422', 'the former 米林县'],
  ['130101', 'a placeholder row of 石家庄'],
  ['620201', 'a placeholder row of 嘉峪关'],
  ['440300', 'a city that has districts'],
  ['', 'nothing'],
]
for (const [code, what] of ABSENT) {
  test(`${code === '' ? 'the empty code' : code} is no division: ${what}`, () => {
    assert.equal(divisionName(code), null)
    assert.equal(divisionPath(code), null)
  })
}

test('a district code leads to its city and province, a shorter code does not', () => {
  const path = { provinceCode: '44', cityCode: '4403', districtCode: '440305' }
  assert.deepEqual(divisionPath('440305'), path)
  assert.equal(divisionPath('4403'), null)
  assert.equal(divisionPath('44'), null)
})

const ADDRESSES: readonly (readonly [string, string, string])[] = [
  ['440305', '科技园1号', '广东省深圳市南山区科技园1号'],
  ['110101', '东华门大街2号', '北京市东城区东华门大街2号'],
  ['500103', '民权路3号', '重庆市渝中区民权路3号'],
  ['500235', '滨江路4号', '重庆市云阳县滨江路4号'],
  ['429021', '松柏镇5号', '湖北省神农架林区松柏镇5号'],
  ['659012', '友谊路6号', '新疆维吾尔自治区白杨市友谊路6号'],
  ['441900', '鸿福路7号', '广东省东莞市鸿福路7号'],
  ['220202', '吉林大街8号', '吉林省吉林市昌邑区吉林大街8号'],
  ['130502', '新华路9号', '河北省邢台市襄都区新华路9号'],
  ['810001', '皇后大道中10号', '香港特别行政区中西区皇后大道中10号'],
  ['710000', '中山路11号', '台湾省中山路11号'],
  ['440305', '', '广东省深圳市南山区'],
]
for (const [code, detail, address] of ADDRESSES) {
  test(`${code} with “${detail}” is written ${address}`, () =>
    assert.equal(formatAddress(code, detail), address))
}

test('an address under a code that left the table still shows its detail', () => {
  assert.equal(formatAddress('330103', '武林路1号'), '武林路1号')
})

test('no address names a level that only the code table knows', () => {
  for (const { code } of districts)
    assert.doesNotMatch(formatAddress(code, ''), /市辖区|直辖县级|市县|^(.+[省市区])\1/, code)
})

test('a province, its city and its district are accepted, for every district', () => {
  for (const { code } of districts)
    assert.equal(refuseDivision(OWN, code.slice(0, 2), code.slice(0, 4), code), null)
})

test('codes that do not belong together are refused', () => {
  assert.equal(refuseDivision(OWN, '44', '4401', '440305'), 'DIVISION_UNKNOWN')
  assert.equal(refuseDivision(OWN, '11', '4403', '440305'), 'DIVISION_UNKNOWN')
  assert.equal(refuseDivision(OWN, '44', '4403', '440399'), 'DIVISION_UNKNOWN')
  assert.equal(refuseDivision(OWN, '44', '4403', '4403'), 'DIVISION_UNKNOWN')
  assert.equal(refuseDivision(OWN, '', '', ''), 'DIVISION_UNKNOWN')
  assert.equal(REGION_REFUSALS.DIVISION_UNKNOWN, '请选择省市区')
})

test('the table keeps one province to a line', () => {
  const lines = readFileSync(new URL('./divisions.json', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
  assert.deepEqual([lines.length, lines[0], lines.at(-1)], [36, '[', ']'])
})

const AT = '2026-11-23T00:00:00.000Z'
const LATER = divisionsWith([
  { code: '440305', name: '南山新区', retiredAt: null },
  { code: '440313', name: '大鹏区', retiredAt: null },
  { code: '440304', name: '福田区', retiredAt: AT },
])

test('what was imported is offered by its new name; what is gone keeps its name and is offered no more', () => {
  assert.equal(LATER.formatAddress('440305', '1号'), '广东省深圳市南山新区1号')
  assert.equal(LATER.formatAddress('440304', '1号'), '广东省深圳市福田区1号')
  assert.deepEqual(
    ['440305', '440313', '440304', '330103'].map(code => LATER.isOffered(code)),
    [true, true, false, false],
  )
  const inCity = (tree: readonly Division[]) =>
    tree
      .find(({ code }) => code === '44')
      ?.children?.find(({ code }) => code === '4403')
      ?.children?.map(({ name }) => name) ?? []
  assert.ok(inCity(LATER.provinces()).includes('大鹏区'))
  assert.ok(!inCity(LATER.provinces()).some(name => name.startsWith('福田区')))
  assert.ok(inCity(LATER.provincesWith('440304')).includes('福田区（已撤销）'))
  assert.deepEqual(LATER.provincesWith('440305'), LATER.provinces())
})

test('the table goes out as a text and comes in again as it was', () => {
  const { rows, errors } = readEdition(editionText(OWN.offered()), districts.length)
  assert.deepEqual([rows, errors], [OWN.offered(), []])
  const change = editionChange(OWN, rows)
  assert.deepEqual([change.added, change.renamed, change.retired, change.same], [[], [], [], rows.length])
})

const text = (change: (rows: string[]) => string[]) => {
  const [head = '', ...rows] = editionText(OWN.offered()).trimEnd().split('\n')
  return [head, ...change(rows)].join('\n')
}

test('an edition says what is new, called otherwise and gone', () => {
  const changed = text(rows => [
    ...rows
      .filter(row => !row.startsWith('440304'))
      .map(row => row.replace('440305,南山区', '440305,南山新区')),
    '440313,大鹏区',
  ])
  const { rows, errors } = readEdition(changed, districts.length)
  assert.deepEqual(errors, [])
  const { added, renamed, retired, restored } = editionChange(OWN, rows)
  assert.deepEqual(added, [{ code: '440313', name: '大鹏区' }])
  assert.deepEqual(renamed, [{ code: '440305', name: '南山新区', before: '南山区' }])
  assert.deepEqual(retired, [{ code: '440304', name: '福田区' }])
  assert.deepEqual(restored, [])
  assert.deepEqual(editionChange(LATER, OWN.offered()).restored, [{ code: '440304', name: '福田区' }])
})

test('only what differs from the program’s own table is written down', () => {
  const wanted = new Map([
    ['440305', { name: '南山区', retiredAt: null }],
    ['440306', { name: '宝安新区', retiredAt: null }],
    ['440304', { name: '福田区', retiredAt: AT }],
  ])
  assert.deepEqual(
    changesTo(wanted).map(({ code }) => code),
    ['440306', '440304'],
  )
})

const WRONG: [what: string, edition: string, line: number, message: string][] = [
  ['no head', '11,北京市', 1, '第一行须有「代码」列'],
  [
    'a code that is none',
    text(rows => [...rows, '4403131,大鹏区']),
    0,
    '代码「4403131」须为 2、4 或 6 位数字',
  ],
  ['a name that is none', text(rows => [...rows, '440313,Dapeng']), 0, '名称「Dapeng」须为 2 到 20 个汉字'],
  ['a code twice', text(rows => [...rows, '440305,南山区']), 0, '代码 440305 重复'],
  ['a district of no city', text(rows => [...rows, '449901,新区']), 0, '449901 新区 的上级 4499 不在文件里'],
  ['a city without districts', text(rows => [...rows, '4499,新市']), 0, '4499 新市 没有下级'],
  ['half of it', text(rows => rows.filter(row => row < '4')), 1, '请确认文件完整'],
]
for (const [what, edition, line, message] of WRONG)
  test(`an edition with ${what} is refused at its line`, () => {
    const { errors } = readEdition(edition, districts.length)
    const at = line || edition.split('\n').length
    assert.ok(
      errors.some(error => error.line === at && error.message.includes(message)),
      JSON.stringify(errors.slice(0, 3)),
    )
  })
