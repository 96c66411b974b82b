import { describe, expect, it } from 'vitest';
import { pageForOthers } from './invite';

const at = (hostname: string) => ({ hostname, href: `http://${hostname}:8080/#/play/a/b` });

describe('a link for others', () => {
  it('names no address that means this computer alone', () => {
    for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
      expect(pageForOthers(at(name), [])).toBeNull();
      expect(pageForOthers(at(name), ['http://192.168.1.7:8080/'])).toBe('http://192.168.1.7:8080/');
    }
    expect(pageForOthers(at('192.168.1.7'), [])).toBe(at('192.168.1.7').href);
  });
});
