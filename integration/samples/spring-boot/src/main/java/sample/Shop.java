package sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@RestController
public class Shop {
    public static void main(String[] arguments) {
        SpringApplication.run(Shop.class, arguments);
    }

    @GetMapping("/orders/{id}")
    String order(@PathVariable int id) {
        return id + ": " + price(id);
    }

    private static long price(int id) {
        long sum = id;
        for (int i = 0; i < 5_000_000; i++) sum += sum * 31 % 1_009 + i;
        return sum;
    }
}
