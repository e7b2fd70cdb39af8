//! Writes x86-64 assembly for Montgomery multiplication and squaring of 16 to 33 limbs, and for a plain square of 10.
//!
//! `mulx` leaves the flags alone, `adcx` uses only the carry flag and `adox` only the overflow flag, so
//! low and high halves of the products travel in two independent carry chains. A block of 8 or 9 limbs of
//! one operand meets all limbs of the other; the running sum of a block stays in registers ("accumulators")
//! and gives off one finished limb per row. No branch and no address depends on a value.
//!
//! Stack frame (from rsp, after the prologue): t, 2N limbs | m, 9 limbs | result, modulus, n0, a, carry.

use std::fmt::Write;

const ACCUMULATORS: [&str; 9] = ["r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rbp"];
const SAVED: [&str; 6] = ["rbx", "rbp", "r12", "r13", "r14", "r15"];

pub fn all() -> String {
    let mut text = String::new();
    for limbs in [16, 17, 32, 33] {
        Kernel { limbs, text: &mut text }.write();
    }
    Kernel { limbs: 10, text: &mut text }.write_plain_square();
    text
}

struct Kernel<'a> {
    limbs: usize,
    text: &'a mut String,
}

impl Kernel<'_> {
    fn write(&mut self) {
        let n = self.limbs;
        self.line(&format!(".p2align 6\n.globl cl_engine_mul_{n}\ncl_engine_mul_{n}:"));
        self.prologue();
        self.line("mov rcx, rdx");
        for (start, size) in self.blocks() {
            self.product_block(start, size);
        }
        self.epilogue();
        self.line(&format!(".p2align 6\n.globl cl_engine_sqr_{n}\ncl_engine_sqr_{n}:"));
        // Squaring has one operand less: (r, a, n, n0) is moved to where multiplication has it.
        self.line("mov r8, rcx");
        self.line("mov rcx, rdx");
        self.prologue();
        self.square();
        self.epilogue();
        self.line(&format!(".p2align 6\ncl_engine_reduce_{n}:"));
        self.reduce();
    }

    /// (r, a): the 2N limbs of a^2.
    fn write_plain_square(&mut self) {
        let n = self.limbs;
        self.line(&format!(".p2align 6\n.globl cl_engine_square_{n}\ncl_engine_square_{n}:"));
        self.prologue();
        self.square();
        self.line(&format!("mov rdi, {}", self.slot(2 * n + 9)));
        for k in 0..2 * n {
            self.line(&format!("mov rdx, {}", self.slot(k)));
            self.line(&format!("mov [rdi+{}], rdx", 8 * k));
        }
        self.restore();
    }

    fn line(&mut self, line: &str) {
        writeln!(self.text, "{line}").expect("writing to a string");
    }

    fn blocks(&self) -> Vec<(usize, usize)> {
        let count = self.limbs / 8;
        let size = |k| if k + 1 == count { self.limbs - 8 * k } else { 8 };
        if self.limbs == 10 { vec![(0, 5), (5, 5)] } else { (0..count).map(|k| (8 * k, size(k))).collect() }
    }

    fn frame_bytes(&self) -> usize {
        8 * (2 * self.limbs + 9 + 5)
    }

    fn slot(&self, index: usize) -> String {
        format!("[rsp+{}]", 8 * index)
    }

    fn prologue(&mut self) {
        for register in SAVED {
            self.line(&format!("push {register}"));
        }
        self.line(&format!("sub rsp, {}", self.frame_bytes()));
        let base = 2 * self.limbs + 9;
        for (offset, register) in ["rdi", "rcx", "r8", "rsi"].iter().enumerate() {
            self.line(&format!("mov {}, {register}", self.slot(base + offset)));
        }
    }

    fn epilogue(&mut self) {
        self.line(&format!("call cl_engine_reduce_{}", self.limbs));
        self.restore();
    }

    fn restore(&mut self) {
        self.line(&format!("add rsp, {}", self.frame_bytes()));
        for register in SAVED.iter().rev() {
            self.line(&format!("pop {register}"));
        }
        self.line("ret");
    }

    /// One row: accumulators += rdx * block (+ `carry_in` at the lowest place). The lowest limb is finished
    /// and goes to `out`; its register becomes the new top.
    fn row(&mut self, sums: &mut [&str], block: &str, carry_in: Option<&str>, out: Option<&str>) {
        let size = sums.len();
        self.line("xor edi, edi");
        if let Some(place) = carry_in {
            self.line(&format!("adox {}, {place}", sums[0]));
        }
        for k in 0..size {
            let last = k + 1 == size;
            let high = if last { sums[0] } else { "rbx" };
            self.line(&format!("mulx {high}, rax, [{block}+{}]", 8 * k));
            self.line(&format!("adcx {}, rax", sums[k]));
            if k == 0 {
                if let Some(place) = out {
                    self.line(&format!("mov {place}, {}", sums[0]));
                }
            }
            if !last {
                self.line(&format!("adox {}, rbx", sums[k + 1]));
            }
        }
        self.line(&format!("adcx {}, rdi", sums[0]));
        self.line(&format!("adox {}, rdi", sums[0]));
        sums.rotate_left(1);
    }

    fn clear(&mut self, registers: &[&str]) {
        for register in registers {
            self.line(&format!("xor {register}, {register}"));
        }
    }

    fn product_block(&mut self, start: usize, size: usize) {
        let mut sums = ACCUMULATORS[..size].to_vec();
        self.clear(&sums);
        for j in 0..self.limbs {
            self.line(&format!("mov rdx, [rcx+{}]", 8 * j));
            let place = self.slot(start + j);
            let carry_in = (start > 0).then_some(place.as_str());
            self.row(&mut sums, &format!("rsi+{}", 8 * start), carry_in, Some(&place));
        }
        for (k, register) in sums.iter().enumerate() {
            self.line(&format!("mov {}, {register}", self.slot(start + self.limbs + k)));
        }
    }

    fn square(&mut self) {
        for (start, size) in self.blocks() {
            self.triangle(start, size);
        }
        for (start, size) in self.blocks() {
            if start + size < self.limbs {
                self.rectangle(start, size);
            }
        }
        self.line("xor edi, edi");
        for i in 0..self.limbs {
            self.line(&format!("mov rdx, [rsi+{}]", 8 * i));
            self.line("mulx rbx, rax, rdx");
            for (place, part) in [(2 * i, "rax"), (2 * i + 1, "rbx")] {
                let slot = self.slot(place);
                self.line(&format!("mov r8, {slot}"));
                self.line("adcx r8, r8");
                self.line(&format!("adox r8, {part}"));
                self.line(&format!("mov {slot}, r8"));
            }
        }
    }

    /// Products a_i * a_j, i < j, inside one block, into t[2 start ..]; a place keeps its register until it
    /// is finished.
    fn triangle(&mut self, start: usize, size: usize) {
        let mut free = ACCUMULATORS.to_vec();
        let mut held: Vec<(usize, &'static str)> = Vec::new();
        for place in 1..size {
            let register = free.remove(0);
            self.clear(&[register]);
            held.push((place, register));
        }
        self.line("xor eax, eax");
        self.line(&format!("mov {}, rax", self.slot(2 * start)));
        self.line(&format!("mov {}, rax", self.slot(2 * start + 2 * size - 1)));
        for i in 0..size - 1 {
            self.line(&format!("mov rdx, [rsi+{}]", 8 * (start + i)));
            self.line("xor edi, edi");
            let top = free.remove(0);
            let known = held.clone();
            let at = |place: usize| known.iter().find(|(p, _)| *p == place).expect("place is held").1;
            for j in i + 1..size {
                let last = j + 1 == size;
                let high = if last { top } else { "rbx" };
                self.line(&format!("mulx {high}, rax, [rsi+{}]", 8 * (start + j)));
                self.line(&format!("adcx {}, rax", at(i + j)));
                if !last {
                    self.line(&format!("adox {}, rbx", at(i + j + 1)));
                }
            }
            self.line(&format!("adcx {top}, rdi"));
            self.line(&format!("adox {top}, rdi"));
            held.push((i + size, top));
            for place in [2 * i + 1, 2 * i + 2] {
                if let Some(index) = held.iter().position(|(p, _)| *p == place) {
                    let (_, register) = held.remove(index);
                    self.line(&format!("mov {}, {register}", self.slot(2 * start + place)));
                    free.push(register);
                }
            }
        }
        assert!(held.is_empty(), "every place of a triangle is stored");
    }

    /// One block against all later limbs, added to t; the carry ripples to the end.
    fn rectangle(&mut self, start: usize, size: usize) {
        let mut sums = ACCUMULATORS[..size].to_vec();
        self.clear(&sums);
        for j in start + size..self.limbs {
            self.line(&format!("mov rdx, [rsi+{}]", 8 * j));
            let place = self.slot(start + j);
            self.row(&mut sums, &format!("rsi+{}", 8 * start), Some(&place), Some(&place));
        }
        let end = start + self.limbs;
        for (k, register) in sums.iter().enumerate() {
            let add = if k == 0 { "add" } else { "adc" };
            self.line(&format!("{add} qword ptr {}, {register}", self.slot(end + k)));
        }
        for place in end + size..2 * self.limbs {
            self.line(&format!("adc qword ptr {}, 0", self.slot(place)));
        }
    }

    /// t * R^-1 mod n into the result. Called with one return address on the stack, hence every slot is one
    /// further up.
    fn reduce(&mut self) {
        let n = self.limbs;
        let t = |k: usize| format!("[rsp+{}]", 8 * (k + 1));
        let fixed = |k: usize| format!("[rsp+{}]", 8 * (2 * n + 9 + k + 1));
        let (result, modulus, n0, carry) = (fixed(0), fixed(1), fixed(2), fixed(4));
        let m_block = format!("rsp+{}", 8 * (2 * n + 1));
        self.line(&format!("mov rsi, {modulus}"));
        self.line(&format!("mov qword ptr {carry}, 0"));
        for (start, size) in self.blocks() {
            let mut sums = ACCUMULATORS[..size].to_vec();
            for (k, register) in sums.iter().enumerate() {
                self.line(&format!("mov {register}, {}", t(start + k)));
            }
            for i in 0..size {
                self.line(&format!("mov rdx, {}", sums[0]));
                self.line(&format!("imul rdx, {n0}"));
                self.line(&format!("mov [{m_block}+{}], rdx", 8 * i));
                self.row(&mut sums, "rsi", None, None);
            }
            for j in size..n {
                self.line(&format!("mov rdx, [rsi+{}]", 8 * j));
                let place = t(start + j);
                self.row(&mut sums, &m_block, Some(&place), Some(&place));
            }
            self.line(&format!("mov rax, {carry}"));
            self.line("neg rax");
            for (k, register) in sums.iter().enumerate() {
                self.line(&format!("adc {register}, {}", t(start + n + k)));
                self.line(&format!("mov {}, {register}", t(start + n + k)));
            }
            self.line("sbb rax, rax");
            self.line(&format!("mov {carry}, rax"));
        }
        self.line(&format!("mov rdi, {result}"));
        self.finish(&t);
        self.line("ret");
    }

    /// 17 and 33 limbs leave room above the modulus, so no carry can come out; 16 and 32 are full, and a
    /// carry is answered by subtracting the modulus under a mask.
    fn finish(&mut self, t: &dyn Fn(usize) -> String) {
        let n = self.limbs;
        if n % 8 != 0 {
            for k in 0..n {
                self.line(&format!("mov rdx, {}", t(n + k)));
                self.line(&format!("mov [rdi+{}], rdx", 8 * k));
            }
            return;
        }
        for k in 0..n {
            self.line(&format!("mov rdx, [rsi+{}]", 8 * k));
            self.line("and rdx, rax");
            self.line(&format!("mov {}, rdx", t(k)));
        }
        for k in 0..n {
            let subtract = if k == 0 { "sub" } else { "sbb" };
            self.line(&format!("mov rdx, {}", t(n + k)));
            self.line(&format!("{subtract} rdx, {}", t(k)));
            self.line(&format!("mov [rdi+{}], rdx", 8 * k));
        }
    }
}
