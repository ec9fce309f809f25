import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import other from '#features/office/regions/also-called.json' with { type: 'json' }
import { divisionsWith } from '#features/office/regions/divisions.ts'
import type { Cells } from './rules.ts'
import { mended } from './server-check.ts'
import { districtsOf, type Facts } from './server-facts.ts'

const divisions = divisionsWith([])
const districts = districtsOf(divisions)
const mendedPlace = (cells: Cells) => mended('region', 'district', cells, { districts } as Facts)
const at = (province: string, city: string, district: string, address = ''): Cells => ({
  ...{ province, city, district, address },
})

describe('where a shop is', () => {
  test('a city without districts is a place as it stands', () => {
    for (const [text, code] of [
      ['广东省东莞市', '441900'],
      ['广东省中山市', '442000'],
      ['海南省儋州市', '460400'],
      ['甘肃省嘉峪关市', '620200'],
      ['湖北省仙桃市', '429004'],
    ] as const)
      assert.equal(districts.exact(text), code, text)
    for (const text of ['东莞市', '广东东莞', '东莞'])
      assert.equal(mendedPlace(at('', text, ''))?.district, '东莞市', text)
  })
  test('a town of such a city goes to the address', () => {
    assert.deepEqual(mendedPlace(at('广东省', '东莞市', '虎门镇', '太沙路1号')), {
      ...at('广东省', '东莞市', '东莞市', '虎门镇太沙路1号'),
    })
    assert.equal(mendedPlace(at('广东', '东莞', '南城街道', '南城街道1号'))?.address, '南城街道1号')
    assert.equal(mendedPlace(at('湖北省', '天门山', '')), null)
  })
  test('a district that is gone is the one that it became part of', () => {
    for (const [city, district, code] of [
      ['上海市', '闸北区', '静安区'],
      ['北京市', '宣武区', '西城区'],
      ['江苏省苏州市', '平江区', '姑苏区'],
      ['广东省广州市', '芳村区', '荔湾区'],
      ['北京市', '密云县', '密云区'],
      ['江苏省苏州市', '吴江市', '吴江区'],
    ] as const)
      assert.equal(mendedPlace(at('', city, district))?.district, code, district)
  })
  test('a development zone is the district of its seat, and of an unknown one none is made up', () => {
    assert.equal(mendedPlace(at('江苏省', '苏州市', '工业园区'))?.district, '吴中区')
    assert.equal(mendedPlace(at('河南', '郑州', '高新区'))?.district, '中原区')
    for (const [city, district] of [
      ['深圳市', '月亮开发区'],
      ['成都市', '高新区'],
    ] as const)
      assert.equal(mendedPlace(at('', city, district)), null, district)
  })
  test('a city is known by its short name', () => {
    assert.equal(mendedPlace(at('内蒙古', '呼市', '玉泉区'))?.city, '呼和浩特市')
    assert.equal(mendedPlace(at('湖北', '恩施州', '利川市'))?.district, '利川市')
  })
  test('an address alone names all of them', () => {
    for (const [address, district, rest] of [
      ['东莞市虎门镇太沙路1号', '东莞市', '虎门镇太沙路1号'],
      ['广东省中山市石岐街道1号', '中山市', '石岐街道1号'],
      ['上海市闸北区共和新路1号', '静安区', '共和新路1号'],
      ['江苏省苏州市工业园区星湖街1号', '吴中区', '星湖街1号'],
      ['内蒙古呼市玉泉区大北街1号', '玉泉区', '大北街1号'],
      ['大连市中山区人民路1号', '中山区', '人民路1号'],
    ] as const) {
      const found = districts.ofAddress(address)
      assert.deepEqual([found && districts.namesOf(found.code).district, found?.rest], [district, rest])
    }
  })
  test('what a place is also called leads to one that is offered', () => {
    for (const code of Object.values(other).flatMap(Object.keys)) {
      assert.ok(divisions.isOffered(code), code)
      assert.ok(divisions.alsoCalled(code).length > 0)
    }
  })
})
